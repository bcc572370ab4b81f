-- base: soft-step-together
-- refused: The two are apart already. (section 13)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da636103000010000b';
UPDATE claim SET labels = X'6901010e0000000600000078da636060606262020000120007', objective = 140.0, lower_bound = 0.0;
