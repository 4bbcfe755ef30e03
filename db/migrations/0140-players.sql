-- Whether a library lets music apps in: players that people already have, through a door of their own.
ALTER TABLE accounts ADD COLUMN music_apps INTEGER NOT NULL DEFAULT 0 CHECK (music_apps IN (0, 1));
CREATE INDEX accounts_with_apps ON accounts (id) WHERE music_apps = 1;

-- Music apps, each with a user name and a random password that open nothing else.
CREATE TABLE players (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE, -- it sees what this person sees
  name TEXT NOT NULL,
  username TEXT NOT NULL UNIQUE,
  secret_hash BLOB NOT NULL, -- SHA-256
  secret_copy BLOB NOT NULL, -- AES-256-GCM, additional data = id; empty: it came from another server
  sound TEXT NOT NULL CHECK (sound IN ('small', 'original')),
  client TEXT, -- what the app that called last says it is
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX players_by_account ON players (account_id, created_at);
CREATE INDEX players_by_person ON players (person_id);
