-- base: cover-links
-- refused: Points in the tree of a part are numbered from 0, not as in the whole. (section 10)
UPDATE nodes SET branch_i = 3, branch_j = 4 WHERE part = 2 AND node = 0;
