-- base: cuts-weight-together
-- refused: The whole penalty is charged, no more: 18. (section 13)
UPDATE nodes SET closing_bound = 18.01;
