-- base: cover-shared
-- refused: A weight is 0, though the point has all of its own in another part. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da6360e102000015000f', weights = X'660801130000000300000078da630865604043573f30d8db0300279f0442' WHERE part = 3;
