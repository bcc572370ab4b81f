-- base: hand
-- accepted: Names of clusters are any integers. (section 7)
UPDATE claim SET labels = X'6906010f0000000500000078dae3e565c0059898980003290021';
