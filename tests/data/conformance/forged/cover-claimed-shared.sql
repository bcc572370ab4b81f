-- base: cover-shared
-- refused: A part with a third of a point proves 1/4 at this penalty. (section 10)
UPDATE claim SET lower_bound = 0.251;
