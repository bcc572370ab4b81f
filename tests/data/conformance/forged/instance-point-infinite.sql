-- base: hand
-- refused: A coordinate is infinite. (section 2)
UPDATE instance SET points = X'66080214000000050000000100000078da6360c00f54343e30383838d403000abf027c';
