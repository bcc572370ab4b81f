-- base: hand
-- refused: The soft pairs are null, which is no list. (section 13)
UPDATE instance SET conditions = '{"soft": null}';
