-- base: soft-step-paid
-- refused: What a soft step cuts off costs 6.5 at least, and the leaf 5.5. (section 3)
UPDATE claim SET lower_bound = 5.501;
