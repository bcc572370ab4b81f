-- base: hand
-- accepted: Digests are no part of the proof. (section 1)
UPDATE instance SET digest = '0000000000000000000000000000000000000000000000000000000000000000';
UPDATE nodes SET digest = 'other';
UPDATE claim SET digest = '';
