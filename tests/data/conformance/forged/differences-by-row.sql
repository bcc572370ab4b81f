-- base: pairs-across-rows
-- refused: Differences that begin anew in each row: another pair. (section 2)
UPDATE instance SET cannot_link = X'6401020c000000020000000200000078da636061620300001a000d';
