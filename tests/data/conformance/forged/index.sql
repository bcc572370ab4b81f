-- base: hand
-- refused: There is an index. (section 1)
CREATE INDEX more ON nodes (parent);
