-- base: hand
-- refused: The soft pairs are an object. (section 13)
UPDATE instance SET conditions = '{"soft": {}}';
