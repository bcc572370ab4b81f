-- base: hand
-- refused: The options are a list. (section 1)
UPDATE instance SET options = '["gap", 0.0001]';
