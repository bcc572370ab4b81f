-- base: prices
-- refused: Prices are integers. (section 2)
UPDATE nodes SET prices = X'6901010b0000000600000078da63620201000030000d';
