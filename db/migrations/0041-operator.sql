-- The account that may see and change the server: the first one. No other becomes it by itself, because a backup of the server
-- holds everybody's music.
ALTER TABLE accounts ADD COLUMN operator INTEGER NOT NULL DEFAULT 0 CHECK (operator IN (0, 1));
UPDATE accounts SET operator = 1 WHERE id = (SELECT id FROM accounts ORDER BY created_at, id LIMIT 1);
