-- base: cover
-- refused: The parts of a cover are doubles. (section 10)
UPDATE covers SET parts = X'6608010f0000000200000078da636040800f0cf60e00048e0170';
