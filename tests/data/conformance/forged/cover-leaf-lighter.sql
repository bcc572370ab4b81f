-- base: cover-optimal
-- refused: With half of its weights a part proves half. (section 11)
UPDATE parts SET weights = X'660801110000000600000078da6360200c2e80813d18000033ab065b';
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (9, X'6901010e0000000600000078da63606261e3e00200004c001f', X'660801110000000600000078da6360200c1e80813d180000373b06bb', 0.0, '');
UPDATE covers SET parts = X'6901010b0000000300000078da631310020000470029';
