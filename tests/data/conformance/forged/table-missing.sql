-- base: hand
-- refused: A table is missing, though one that plays no part. (section 1)
DROP TABLE events;
