-- base: cover
-- refused: A part proves 1/2. (section 11)
UPDATE nodes SET closing_bound = 0.501 WHERE part = 2;
