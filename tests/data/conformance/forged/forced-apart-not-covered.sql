-- base: forced-apart
-- refused: A point of the clique is apart from neither of the two. (section 4)
UPDATE instance SET cannot_link = X'6901020c000000020000000200000078da636062600100000e0007';
