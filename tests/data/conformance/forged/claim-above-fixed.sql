-- base: fixed
-- refused: What a fixed step cuts off costs 2 at least, no more is proved. (section 3)
UPDATE claim SET lower_bound = 2.001;
