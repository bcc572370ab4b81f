-- base: hand
-- accepted: Unknown options, blanks, and a gap with an exponent. (section 1)
UPDATE instance SET options = ' {"params": {"gap": [true, null, "\u00e9"]},
"gap" : 1.0e-4 } ';
