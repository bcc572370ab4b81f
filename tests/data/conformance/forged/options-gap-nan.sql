-- base: hand
-- refused: NaN is no JSON. (section 1)
UPDATE instance SET options = '{"gap": NaN}';
