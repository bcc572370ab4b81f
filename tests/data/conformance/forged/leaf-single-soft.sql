-- base: soft-single
-- refused: The one partition that is left costs 2.5 with its penalties. (section 13)
UPDATE nodes SET closing_bound = 2.501 WHERE node = 0 AND part = 0;
