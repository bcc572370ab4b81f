-- base: hand
-- refused: Names in single quotes are no JSON. (section 1)
UPDATE instance SET options = '{''gap'': 0.0001}';
