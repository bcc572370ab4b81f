-- base: hand
-- refused: There is a trigger. (section 1)
CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT 1; END;
