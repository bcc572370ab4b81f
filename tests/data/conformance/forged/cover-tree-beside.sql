-- base: cover-above-tree
-- refused: Beside a cover, a tree of the whole has to be one, too. (section 1)
UPDATE nodes SET closing = 'open', closing_bound = 0.0 WHERE part = 0;
