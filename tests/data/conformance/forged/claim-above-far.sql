-- base: far-inherited
-- refused: What is said of a far step bounds the whole, too. (section 3)
UPDATE claim SET lower_bound = 13.9999999;
