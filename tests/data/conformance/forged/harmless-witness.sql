-- base: hand
-- accepted: A witness is for people, and says something else. (section 4)
UPDATE nodes SET witness = '{"kind": "clique", "points": [7]}' WHERE node = 3;
