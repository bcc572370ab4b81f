-- base: cover
-- refused: The digest of the last cover is a blob. (section 1)
UPDATE covers SET digest = X'30';
