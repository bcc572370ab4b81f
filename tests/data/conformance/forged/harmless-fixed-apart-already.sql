-- base: fixed
-- accepted: A fixed pair that is apart already. (section 3)
UPDATE steps SET decisions = X'6401020e000000030000000200000078da6362606460620200001c0008';
