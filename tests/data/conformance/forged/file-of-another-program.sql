-- base: hand
-- refused: The application_id is another one. (section 1)
PRAGMA application_id = 1;
