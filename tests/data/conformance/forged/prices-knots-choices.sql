-- base: prices-knot-of-sixteen
-- refused: A knot has 64 choices. (section 12)
UPDATE instance SET cannot_link = X'69010214000000060000000200000078da63606261e3e0e2e113101211030002480085';
