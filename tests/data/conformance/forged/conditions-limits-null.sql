-- base: hand
-- refused: The limits are null, which is no object. (section 13)
UPDATE instance SET conditions = '{"limits": null}';
