-- base: hand
-- refused: The options have no gap. (section 1)
UPDATE instance SET options = '{}';
