-- base: hand
-- refused: Something follows the object. (section 1)
UPDATE instance SET options = '{"gap": 0.0001} {}';
