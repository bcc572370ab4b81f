-- base: hand
-- accepted: A cannot-link between the same super-points as another one. (section 3)
UPDATE instance SET cannot_link = X'6401020e000000030000000200000078da636061666366030000440017';
