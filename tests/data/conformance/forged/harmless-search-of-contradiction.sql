-- base: contradiction
-- accepted: A search where none is needed is not looked at. (section 4)
UPDATE nodes SET search = X'78';
