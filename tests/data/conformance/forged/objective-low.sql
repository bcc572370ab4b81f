-- base: hand
-- refused: The labels cost more, by 10^-9 of it. (section 7)
UPDATE claim SET objective = 3.999999996;
