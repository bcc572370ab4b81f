-- base: hand
-- refused: A name is twice in one object. (section 1)
UPDATE instance SET conditions = '{"soft": [], "soft": []}';
