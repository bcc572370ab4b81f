-- base: prices-one-place
-- accepted: Axes of width 0 behind prices that need none of them. (section 12)
UPDATE nodes SET prices = X'660801110000000600000078da6360200c3e80813d1800003acb071b69000208000000010000000100000078da030000000001';
