-- base: hand
-- refused: A child has a decision without a second point. (section 3)
UPDATE nodes SET j = NULL WHERE node = 4;
