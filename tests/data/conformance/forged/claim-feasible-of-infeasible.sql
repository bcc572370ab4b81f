-- base: contradiction
-- refused: Labels that break a must-link, where there is no partition. (section 7)
UPDATE claim SET status = 'FEASIBLE', labels = X'6901010b0000000300000078da636062020000090005', objective = 0.5;
