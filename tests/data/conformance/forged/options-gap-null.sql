-- base: hand
-- refused: The gap is null. (section 1)
UPDATE instance SET options = '{"gap": null}';
