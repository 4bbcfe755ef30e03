-- An account becomes a library. Who signs in is a person, and a member joins the two, with a role. `accounts` is made again,
-- because a column that is UNIQUE cannot be dropped: foreign keys must be off, or the rows of every other table go with it.
CREATE TABLE people (
  id TEXT PRIMARY KEY, -- usr_…; whoever had an account has its id
  email TEXT NOT NULL UNIQUE, -- trimmed, lower case
  name TEXT NOT NULL,
  password_hash TEXT, -- Argon2id, PHC string; null: signs in another way
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  operator INTEGER NOT NULL DEFAULT 0 CHECK (operator IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO people (id, email, name, password_hash, operator, created_at)
  SELECT id, email, name, password_hash, operator, created_at FROM accounts;
CREATE UNIQUE INDEX people_operator ON people (operator) WHERE operator = 1;

CREATE TABLE members (
  id TEXT PRIMARY KEY, -- mem_…; a new one at each joining
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'producer', 'artist', 'listener')),
  reach TEXT NOT NULL DEFAULT 'library' CHECK (reach IN ('library', 'rooms')),
  sees_splits INTEGER NOT NULL DEFAULT 0 CHECK (sees_splits IN (0, 1)),
  sees_listening INTEGER NOT NULL DEFAULT 0 CHECK (sees_listening IN (0, 1)),
  added_by TEXT, -- a person; null: the first one, or the operator
  joined_at INTEGER NOT NULL,
  ends_at INTEGER, -- null: no end
  seen_at INTEGER,
  UNIQUE (account_id, person_id)
) STRICT;
INSERT INTO members (id, account_id, person_id, role, sees_splits, sees_listening, joined_at)
  SELECT 'mem_' || lower(hex(randomblob(16))), id, id, 'owner', 1, 1, created_at FROM accounts;
CREATE UNIQUE INDEX members_one_owner ON members (account_id) WHERE role = 'owner';
CREATE INDEX members_by_person ON members (person_id, joined_at);

CREATE TABLE sessions_of_people (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL, -- the library chosen last
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  user_agent TEXT,
  ip TEXT,
  method TEXT NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'passkey', 'provider', 'operator', 'invitation')),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  absolute_expires_at INTEGER NOT NULL,
  proved_at INTEGER NOT NULL DEFAULT 0 -- when the person last proved who they are
) STRICT;
INSERT INTO sessions_of_people (id, person_id, account_id, token_hash, user_agent, ip, method, created_at, last_used_at,
    absolute_expires_at, proved_at)
  SELECT id, account_id, account_id, token_hash, user_agent, ip, iif(ip = 'operator', 'operator', 'password'), created_at,
    last_used_at, absolute_expires_at, iif(ip = 'operator', 0, created_at)
  FROM sessions;
DROP TABLE sessions;
ALTER TABLE sessions_of_people RENAME TO sessions;
CREATE INDEX sessions_by_person ON sessions (person_id, created_at);
CREATE INDEX sessions_by_account ON sessions (account_id);

CREATE TABLE resets_of_people (
  person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the token in the link
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO resets_of_people SELECT account_id, token_hash, expires_at FROM password_resets;
DROP TABLE password_resets;
ALTER TABLE resets_of_people RENAME TO password_resets;

CREATE TABLE libraries (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  username TEXT UNIQUE, -- null: none chosen
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  credits INTEGER CHECK (credits >= 0), -- null: unlimited
  created_at INTEGER NOT NULL,
  acquisition_source TEXT,
  acquisition_brief_id TEXT,
  first_steps_dismissed_at INTEGER,
  thanks TEXT
) STRICT;
INSERT INTO libraries SELECT id, name, username, active, credits, created_at, acquisition_source, acquisition_brief_id,
    first_steps_dismissed_at, thanks
  FROM accounts;
DROP TABLE accounts;
ALTER TABLE libraries RENAME TO accounts;
-- The trigger of 0026 went with the table.
CREATE TRIGGER accounts_live_gone AFTER DELETE ON accounts BEGIN
  DELETE FROM account_changes WHERE account_id = OLD.id;
END;
