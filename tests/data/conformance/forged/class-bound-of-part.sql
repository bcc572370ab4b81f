-- base: cover
-- refused: What is noted of a part is infinite, though nothing is proved with it. (section 1)
UPDATE parts SET lower_bound = 9e999 WHERE part = 1;
