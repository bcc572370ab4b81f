-- base: cover-infeasible
-- refused: Infeasible parts need a clique that is in them. (section 4)
UPDATE nodes SET search = X'6901010b0000000300000078da6360620100000b0007';
