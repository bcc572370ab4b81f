-- base: hand
-- accepted: Pairs in another order, turned around and repeated. (section 3)
UPDATE instance SET must_link = X'6901020c000000020000000200000078da63636161030000360015', cannot_link = X'6401020c000000020000000200000078dae36065620600003a0013';
