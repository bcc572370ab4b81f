-- base: equal
-- refused: A super-point has a point at another place. (section 4)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da6360010000060005';
UPDATE claim SET status = 'FEASIBLE', labels = X'6901010d0000000500000078da63606260600000000d0003', objective = 21.272727272727273, lower_bound = 0.0;
