-- base: line
-- refused: With a negative penalty points by themselves are charged least. (section 11)
UPDATE nodes SET penalty = -1.0 WHERE node = 0 AND part = 0;
