-- base: hand
-- refused: Doubles have seven bytes. (section 2)
UPDATE instance SET points = X'6607020f000000050000000100000078da636064626661c00b000163000b';
