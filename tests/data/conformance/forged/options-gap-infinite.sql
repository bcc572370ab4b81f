-- base: hand
-- refused: The nearest double would be infinite. (section 1)
UPDATE instance SET options = '{"gap": 1e999}';
