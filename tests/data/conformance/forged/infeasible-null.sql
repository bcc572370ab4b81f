-- base: odd-cycle
-- refused: The state is not seen to be infeasible, and there is no search. (section 1)
UPDATE nodes SET search = NULL;
