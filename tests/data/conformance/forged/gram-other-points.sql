-- base: gram
-- refused: With half of a point the bound is lowered by 3. (section 14)
UPDATE instance SET points = X'66080233000000030000000300000078da3bcbc0c0701688f5ac8104082bd6030910e64c0312202c320f488070df022001c233be010910fe6c0f24c01800897d0b85';
