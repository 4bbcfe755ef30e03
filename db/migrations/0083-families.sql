-- A family is one song with everything made from it. Each member is a track of its own.
CREATE TABLE families (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  main_track_id TEXT NOT NULL REFERENCES tracks (id), -- a member; the trigger below finds another one
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX families_by_owner ON families (owner_id, created_at, id);
CREATE INDEX families_by_main ON families (main_track_id);

CREATE TABLE family_members (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('main', 'instrumental', 'acapella', 'clean', 'tv', 'stem', 'other')),
  part TEXT CHECK (part IN ('drums', 'bass', 'guitars', 'keys', 'strings', 'brass', 'vocals', 'backing', 'effects', 'other')),
  edit_sec INTEGER CHECK (edit_sec BETWEEN 5 AND 600), -- null: the whole song
  joined_by TEXT NOT NULL CHECK (joined_by IN ('owner', 'name_and_sound')),
  hidden_from_links INTEGER NOT NULL DEFAULT 0 CHECK (hidden_from_links IN (0, 1)),
  joined_at INTEGER NOT NULL,
  CHECK (part IS NULL OR kind = 'stem')
) STRICT, WITHOUT ROWID;
CREATE INDEX family_members_by_family ON family_members (family_id, kind, edit_sec, part);

-- What speaks for two tracks being of one family, and what their owner said to that.
CREATE TABLE family_signs (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  other_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  name_kind TEXT CHECK (name_kind IN ('main', 'instrumental', 'acapella', 'clean', 'tv', 'stem', 'other')),
  name_edit_sec INTEGER CHECK (name_edit_sec BETWEEN 5 AND 600),
  name_part TEXT CHECK (name_part IN ('drums', 'bass', 'guitars', 'keys', 'strings', 'brass', 'vocals', 'backing', 'effects', 'other')),
  offset_ms REAL,
  bit_error_rate REAL, -- of the fingerprints where they line up, 0..1
  overlap REAL, -- share of the shorter one that lines up, 0..1
  residual_db REAL,
  residual_voice REAL, -- 0..1
  rules TEXT NOT NULL, -- version of the rules that judged
  state TEXT NOT NULL CHECK (state IN ('open', 'joined', 'refused')),
  decided_at INTEGER,
  PRIMARY KEY (track_id, other_id),
  CHECK (track_id < other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX family_signs_open ON family_signs (track_id) WHERE state = 'open';
CREATE INDEX family_signs_by_other ON family_signs (other_id);

ALTER TABLE shares ADD COLUMN whole_family INTEGER NOT NULL DEFAULT 0 CHECK (whole_family IN (0, 1));

-- A family whose main mix leaves, also by being deleted, gets its oldest whole song as main mix; one member alone is no family.
CREATE TRIGGER family_members_leave AFTER DELETE ON family_members BEGIN
  UPDATE families SET main_track_id = (
    SELECT track_id FROM family_members WHERE family_id = OLD.family_id
    ORDER BY edit_sec IS NOT NULL OR kind = 'stem', joined_at, track_id LIMIT 1)
  WHERE id = OLD.family_id AND main_track_id = OLD.track_id
    AND EXISTS (SELECT 1 FROM family_members WHERE family_id = OLD.family_id);
  DELETE FROM families WHERE id = OLD.family_id
    AND (SELECT count(*) FROM family_members WHERE family_id = OLD.family_id) < 2;
END;

-- What one member is, all others have: search reads it of each.
CREATE TRIGGER family_members_search_insert AFTER INSERT ON family_members BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT t.seq, t.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes)
  FROM family_members m JOIN tracks t ON t.id = m.track_id WHERE m.family_id = NEW.family_id
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM family_members m JOIN tracks t ON t.id = m.track_id
  WHERE m.family_id = NEW.family_id;
END;
CREATE TRIGGER family_members_search_update AFTER UPDATE ON family_members BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT t.seq, t.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes)
  FROM family_members m JOIN tracks t ON t.id = m.track_id WHERE m.family_id IN (OLD.family_id, NEW.family_id)
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM family_members m JOIN tracks t ON t.id = m.track_id
  WHERE m.family_id IN (OLD.family_id, NEW.family_id);
END;
CREATE TRIGGER family_members_search_delete AFTER DELETE ON family_members BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT t.seq, t.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes)
  FROM tracks t WHERE t.id = OLD.track_id
    OR t.id IN (SELECT track_id FROM family_members WHERE family_id = OLD.family_id)
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM tracks t WHERE t.id = OLD.track_id
    OR t.id IN (SELECT track_id FROM family_members WHERE family_id = OLD.family_id);
END;
CREATE TRIGGER families_live_main AFTER UPDATE OF main_track_id ON families BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM family_members m JOIN tracks t ON t.id = m.track_id
  WHERE m.family_id = NEW.id;
END;
-- What is in the bin or still in the Inbox does not count for the others.
CREATE TRIGGER tracks_family_bin AFTER UPDATE OF deleted_at, in_inbox ON tracks
WHEN EXISTS (SELECT 1 FROM family_members WHERE track_id = NEW.id) BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT t.seq, t.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes)
  FROM family_members own JOIN family_members m ON m.family_id = own.family_id JOIN tracks t ON t.id = m.track_id
  WHERE own.track_id = NEW.id
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM family_members own JOIN family_members m ON m.family_id = own.family_id
  JOIN tracks t ON t.id = m.track_id WHERE own.track_id = NEW.id;
END;
