-- base: gram
-- refused: With another matrix the labels cost more. (section 14)
UPDATE instance SET gram = X'66080213000000030000000300000078da6360200770406909072001c600058800e1';
