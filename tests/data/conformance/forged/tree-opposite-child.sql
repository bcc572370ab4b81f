-- base: hand
-- refused: Children exchange their decisions, and so their states. (section 3)
UPDATE nodes SET kind = 'CL' WHERE node = 1;
UPDATE nodes SET kind = 'ML' WHERE node = 2;
