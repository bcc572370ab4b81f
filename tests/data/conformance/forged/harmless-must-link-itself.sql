-- base: hand
-- accepted: A must-link of a point with itself says nothing. (section 3)
UPDATE instance SET must_link = X'6401020c000000020000000200000078da63626062020000120007';
