-- base: equal-zeros
-- refused: The points differ in the last digit. (section 4)
UPDATE instance SET points = X'66080210000000030000000100000078da636064c000220c0c0e0000bf0056';
UPDATE claim SET objective = 0.0;
