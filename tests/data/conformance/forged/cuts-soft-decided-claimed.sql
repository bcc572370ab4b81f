-- base: soft-decided
-- refused: What is decided pays 1.5. (section 13)
UPDATE nodes SET closing_bound = 2.501;
