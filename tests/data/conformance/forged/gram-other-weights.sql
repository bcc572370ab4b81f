-- base: gram
-- refused: With other weights the labels cost more. (section 14)
UPDATE instance SET weights = X'660801120000000300000078da636040071f183ed83bd803000af4029f';
