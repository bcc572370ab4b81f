-- base: cover
-- refused: Three points are in no part. (section 10)
UPDATE covers SET parts = X'690101090000000100000078da63020000030003';
