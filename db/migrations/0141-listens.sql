-- What people have heard of their own libraries, as their players and devices report it. Link pages count elsewhere.
CREATE TABLE listens (
  id TEXT NOT NULL, -- the same listen has the same id, however often it is reported
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  version_id TEXT NOT NULL, -- it may be gone since
  at INTEGER NOT NULL,
  heard_sec REAL, -- null: not known
  through TEXT NOT NULL CHECK (through IN ('pocket', 'player')),
  through_id TEXT NOT NULL, -- it may be gone since
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX listens_by_person ON listens (person_id, account_id, track_id, at);
CREATE INDEX listens_by_track ON listens (track_id, person_id, at);
