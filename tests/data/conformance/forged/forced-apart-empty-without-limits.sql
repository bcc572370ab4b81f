-- base: forced-apart
-- refused: CL with an empty witness needs limits. (section 13)
UPDATE steps SET forced = '[["CL", 2, 3, []]]';
