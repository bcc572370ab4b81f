-- base: hand
-- refused: The run has not ended. (section 1)
DELETE FROM claim;
