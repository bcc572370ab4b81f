-- base: soft-open
-- refused: Without a limit 2 of 3 are charged: 16 is proved. (section 13)
UPDATE nodes SET closing_bound = 16.01;
