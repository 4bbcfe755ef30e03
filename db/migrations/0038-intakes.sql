-- Files that were taken in from folders: by a watched folder, by `send` and by `import`. The newest row of a path is what the
-- folder's memory says of it.
CREATE TABLE intakes (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('watch', 'send', 'import')),
  source TEXT NOT NULL, -- the machine and the folder
  path TEXT NOT NULL, -- in the folder
  size_bytes INTEGER NOT NULL,
  modified_at REAL NOT NULL, -- milliseconds, as the file system says
  inode TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('track', 'version', 'known')),
  reason TEXT,
  label TEXT,
  track_id TEXT NOT NULL,
  version_id TEXT, -- null: the account had the bytes
  version_before TEXT, -- the version that the track played before; null: this one was not made the active one
  taken_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX intakes_by_path ON intakes (account_id, source, path, seq);
CREATE INDEX intakes_by_bytes ON intakes (account_id, source, sha256);
CREATE INDEX intakes_by_track ON intakes (track_id);
CREATE INDEX intakes_changes ON intakes (account_id, seq) WHERE outcome <> 'known';
