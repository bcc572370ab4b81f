-- base: hand
-- refused: No text is no JSON. (section 1)
UPDATE instance SET options = '';
