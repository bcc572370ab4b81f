-- base: hand
-- accepted: What is checked in a state that contradicts itself proves nothing false. (section 4)
UPDATE nodes SET closing = 'prices', closing_bound = 70.0, prices = X'6608010b0000000200000078da636040050000100001' WHERE node = 3;
