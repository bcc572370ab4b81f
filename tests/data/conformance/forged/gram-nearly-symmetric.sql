-- base: gram-moved
-- refused: The matrix is not symmetric in the last digit. (section 14)
UPDATE instance SET gram = X'66080215000000030000000300000078da636060606420190840b182030c00000f0d0282';
