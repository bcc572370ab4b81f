-- base: hand
-- refused: The state contradicts itself: no partition is left. (section 4)
UPDATE nodes SET closing = 'single', closing_bound = 4.0 WHERE node = 3 AND part = 0;
