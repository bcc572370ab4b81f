-- base: hand
-- refused: The content is no zlib stream. (section 2)
UPDATE claim SET labels = X'69010105000000050000000000020202';
