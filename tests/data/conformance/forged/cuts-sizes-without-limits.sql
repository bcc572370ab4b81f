-- base: cuts-sizes
-- refused: Without limits the least crossings of sets are smaller. (section 13)
UPDATE instance SET conditions = '{}';
