-- Devices that keep music of a library, to play it without a connection.
CREATE TABLE pockets (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE, -- it keeps what this person may hear
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256
  name TEXT NOT NULL,
  user_agent TEXT,
  wants TEXT NOT NULL DEFAULT '[]', -- JSON: what it is to keep, as {entity, id}
  tracks INTEGER NOT NULL DEFAULT 0, -- how many it has
  bytes INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  synced_at INTEGER, -- null: not yet
  withdrawn_at INTEGER -- null: not
) STRICT;
CREATE INDEX pockets_by_account ON pockets (account_id, synced_at);
CREATE INDEX pockets_by_person ON pockets (person_id);

-- What devices sent later, so that the same thing is stored once.
CREATE TABLE pocket_sent (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  id TEXT NOT NULL, -- the device's own
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
