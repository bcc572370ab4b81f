-- base: cover-shared
-- refused: A weight is negative, and balances another one. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da6360e102000015000f', weights = X'660801140000000300000078da6308656040451fae7ed86f6f0f002f7c05f1' WHERE part = 3;
