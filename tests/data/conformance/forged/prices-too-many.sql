-- base: prices-super-points
-- refused: There are six prices for four super-points. (section 12)
UPDATE nodes SET prices = X'660801160000000600000078da6360200c7e7cf8f08381c11e081818002ca604cd' WHERE closing = 'prices';
