-- base: hand
-- refused: The content is a deflate stream without the header of zlib. (section 2)
UPDATE claim SET labels = X'690101070000000500000063606062620200';
