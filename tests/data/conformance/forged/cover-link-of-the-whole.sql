-- base: cover-links
-- refused: A must-link between two parts holds in neither: more than one partition is left. (section 10)
UPDATE nodes SET closing = 'single', closing_bound = 0.4 WHERE part = 1;
