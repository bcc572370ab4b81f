-- base: hand
-- refused: A decision is neither ML nor CL. (section 1)
UPDATE nodes SET kind = 'cl' WHERE node = 4;
