-- base: prices-plane
-- refused: Two axes along one line lengthen distances. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd69040213000000020000000200000078da4b9b9136236d26144aa649020040e406f7' WHERE closing = 'prices';
