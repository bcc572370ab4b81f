-- base: cover
-- refused: No parts are no cover. (section 10)
UPDATE covers SET parts = X'690001080000000000000078da030000000001';
