-- base: hand
-- refused: An unknown member. (section 1)
UPDATE instance SET conditions = '{"more": 1}';
