-- base: gram
-- refused: The matrix is text. (section 1)
UPDATE instance SET gram = '2 0 0 0 2 0 0 0 6';
