-- base: hand
-- refused: The labels cost less, by 10^-9 of it. (section 7)
UPDATE claim SET objective = 4.000000004;
