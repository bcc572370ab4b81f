-- base: hand
-- accepted: SQLite makes reals of whole numbers in columns that are declared REAL. (section 1)
UPDATE nodes SET closing_bound = 4 WHERE node = 4;
UPDATE claim SET objective = 4, lower_bound = 4;
