-- base: line-apart
-- refused: The cannot-link is left out: 1.5 is proved. (section 11)
UPDATE nodes SET closing_bound = 1.5001 WHERE node = 0 AND part = 0;
