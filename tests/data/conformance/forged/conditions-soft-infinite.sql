-- base: hand
-- refused: The nearest double of a penalty would be infinite. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1, 1e999, 0]]}';
