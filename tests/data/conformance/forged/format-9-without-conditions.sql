-- base: format-5-hand
-- refused: From format 6 on the instance has `conditions` and `gram`. (section 1)
PRAGMA user_version = 9;
