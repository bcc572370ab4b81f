-- base: hand
-- refused: The points are integers. (section 2)
UPDATE instance SET points = X'6901020d000000050000000100000078da6360119110030000970047';
