-- base: cuts-weight-together
-- refused: Of a penalty of 3 a cut of 4 takes back 1. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 3, 0, 3]]}';
UPDATE claim SET objective = 17.0, lower_bound = 16.9;
UPDATE nodes SET closing_bound = 16.9;
