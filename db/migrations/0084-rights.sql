-- What registrations and deliveries say of a track beside its details, who sends registrations, and what composers were asked for.
CREATE TABLE track_rights (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  iswc TEXT, -- as written: one whose check digit is wrong is kept, and marked when it is read
  upc TEXT, -- of the release
  release_date TEXT, -- YYYY-MM-DD
  p_line TEXT,
  c_line TEXT,
  explicit TEXT CHECK (explicit IN ('yes', 'no', 'clean')), -- null: not stated
  work_number TEXT, -- the owner's own, in registrations
  ai_use TEXT NOT NULL DEFAULT '[]', -- JSON: [{part, extent, tool, note}]; empty: not stated
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER track_rights_live_tracks_insert AFTER INSERT ON track_rights BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'tracks', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER track_rights_live_tracks_update AFTER UPDATE ON track_rights BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'tracks', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER track_rights_live_tracks_delete AFTER DELETE ON track_rights BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'tracks', id FROM tracks WHERE id = OLD.track_id;
END;

-- The publisher who registers works. Without a code of its own at CISAC, nothing can be sent.
CREATE TABLE rights_sender (
  owner_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT,
  ipi TEXT,
  sender_code TEXT,
  society TEXT,
  pr_share INTEGER NOT NULL DEFAULT 5000 CHECK (pr_share BETWEEN 0 AND 5000), -- of each writer's performing right, in hundredths of a per cent
  mr_share INTEGER NOT NULL DEFAULT 10000 CHECK (mr_share BETWEEN 0 AND 10000), -- of the mechanical right
  sr_share INTEGER NOT NULL DEFAULT 10000 CHECK (sr_share BETWEEN 0 AND 10000), -- of the right to synchronise
  file_year INTEGER, -- of the last file
  file_number INTEGER, -- of the last file in that year
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE supply_requests (
  id TEXT PRIMARY KEY, -- sup_…
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  composer_id TEXT NOT NULL REFERENCES composers (id) ON DELETE CASCADE,
  track_ids TEXT NOT NULL DEFAULT '[]', -- JSON: the tracks whose shares are asked about
  token_hash BLOB UNIQUE, -- SHA-256; null: nothing opens any more
  made_by TEXT, -- a person
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answered_at INTEGER,
  answer TEXT, -- JSON
  taken_at INTEGER, -- when somebody of the library had decided on the answer
  withdrawn_at INTEGER
) STRICT;
CREATE INDEX supply_requests_by_owner ON supply_requests (owner_id, created_at, id);
CREATE INDEX supply_requests_by_composer ON supply_requests (composer_id, created_at);
CREATE TRIGGER supply_requests_live_composers_insert AFTER INSERT ON supply_requests BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'composers', NEW.composer_id);
END;
CREATE TRIGGER supply_requests_live_composers_update AFTER UPDATE ON supply_requests BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'composers', NEW.composer_id);
END;
CREATE TRIGGER supply_requests_live_composers_delete AFTER DELETE ON supply_requests BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'composers', id FROM composers WHERE id = OLD.composer_id;
END;

ALTER TABLE composers ADD COLUMN last_name TEXT; -- null: the last word of the name
ALTER TABLE composers ADD COLUMN publisher_ipi TEXT;
