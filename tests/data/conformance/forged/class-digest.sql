-- base: hand
-- refused: The digest of the instance is a blob, though nothing is proved with it. (section 1)
UPDATE instance SET digest = X'30';
