-- base: gram
-- refused: An entry is no number. (section 2)
UPDATE instance SET gram = X'66080217000000030000000300000078da6360201bfc60f821e100a41dea19ea1d001f3203c7';
