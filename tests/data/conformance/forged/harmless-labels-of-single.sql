-- base: hand
-- accepted: The labels of a closing `single` are not read. (section 1)
UPDATE nodes SET labels = X'616e797468696e67' WHERE node = 4;
