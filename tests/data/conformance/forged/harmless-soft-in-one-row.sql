-- base: soft-single
-- accepted: Rows of the same pair are one, with a whole number for a real. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 1, 0, 1.0], [1, 0, 5.0, 0], [0, 2, 0.5, 7]]}';
