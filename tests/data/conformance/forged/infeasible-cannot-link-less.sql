-- base: odd-cycle
-- refused: A triangle without one side has two colours. (section 4)
UPDATE instance SET cannot_link = X'6901020c000000020000000200000078da63606262010000120009';
