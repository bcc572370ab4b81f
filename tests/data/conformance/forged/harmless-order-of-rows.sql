-- base: hand
-- accepted: Rows may stand in any order. (section 1)
UPDATE nodes SET position = 100 - position;
