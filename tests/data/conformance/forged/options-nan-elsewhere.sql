-- base: hand
-- refused: NaN is no JSON, also where nobody needs it. (section 1)
UPDATE instance SET options = '{"gap": 0.0001, "more": NaN}';
