-- base: hand
-- refused: A stream of forty bytes is announced as 2^62 numbers. (section 2)
UPDATE instance SET points = X'6608020c0000000000008000000080789c6360200e000000280001';
