-- base: open-child
-- refused: A missing child counts with what is proved above it: 2. (section 3)
UPDATE claim SET lower_bound = 2.001;
