-- base: hand
-- refused: There is a view. (section 1)
CREATE VIEW more AS SELECT 1;
