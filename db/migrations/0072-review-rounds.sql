-- Notes on a version: ranges, replies, answers, where each note is in the other versions; and what people say of a version.
ALTER TABLE comments ADD COLUMN end_sec REAL; -- the end of a range; null: a moment, or the whole track
ALTER TABLE comments ADD COLUMN parent_id TEXT REFERENCES comments (id) ON DELETE CASCADE; -- of a reply: always a note
ALTER TABLE comments ADD COLUMN resolved_at INTEGER; -- null: open
ALTER TABLE comments ADD COLUMN resolved_by TEXT; -- a person; null beside a time: the recipient of the link
ALTER TABLE comments ADD COLUMN resolved_name TEXT; -- what they were called then
ALTER TABLE comments ADD COLUMN resolved_in TEXT REFERENCES versions (id) ON DELETE SET NULL; -- the version that answers it
ALTER TABLE comments ADD COLUMN visit TEXT; -- of the visitor who wrote it
ALTER TABLE comments ADD COLUMN deleted_at INTEGER; -- its text is gone; it stays for its replies
CREATE INDEX comments_by_parent ON comments (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_open ON comments (track_id) WHERE parent_id IS NULL AND resolved_at IS NULL;
-- Deleting a version looks for the notes that it answered.
CREATE INDEX comments_by_resolved_in ON comments (resolved_in) WHERE resolved_in IS NOT NULL;

-- Where a note is in a version that is not the one in which it was heard.
CREATE TABLE comment_places (
  comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  version_id TEXT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
  at_sec REAL, -- null: not in this version
  end_sec REAL,
  how TEXT NOT NULL CHECK (how IN ('carried', 'about', 'gone', 'placed')), -- placed: by hand
  PRIMARY KEY (comment_id, version_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_places_by_version ON comment_places (version_id);

-- What a person, or the recipient of a link, says of a version.
CREATE TABLE reviews (
  id TEXT PRIMARY KEY, -- rev_…
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  version_id TEXT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
  person_id TEXT,
  share_id TEXT REFERENCES shares (id) ON DELETE SET NULL,
  name TEXT NOT NULL, -- of the person or the recipient then
  state TEXT NOT NULL CHECK (state IN ('approved', 'changes')),
  text TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX reviews_by_person ON reviews (version_id, person_id) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX reviews_by_link ON reviews (version_id, share_id) WHERE share_id IS NOT NULL;
CREATE INDEX reviews_by_track ON reviews (track_id, at);
CREATE INDEX reviews_by_share ON reviews (share_id) WHERE share_id IS NOT NULL;

ALTER TABLE shares ADD COLUMN allow_review INTEGER NOT NULL DEFAULT 0 CHECK (allow_review IN (0, 1));

-- What was deleted is not found by its words.
CREATE TRIGGER comments_names_update AFTER UPDATE OF deleted_at ON comments WHEN NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM library_names WHERE entity_id = NEW.id;
END;

CREATE TRIGGER comment_places_live_comments_insert AFTER INSERT ON comment_places BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'comments', t.id FROM comments c JOIN tracks t ON t.id = c.track_id WHERE c.id = NEW.comment_id;
END;
CREATE TRIGGER comment_places_live_comments_update AFTER UPDATE ON comment_places BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'comments', t.id FROM comments c JOIN tracks t ON t.id = c.track_id WHERE c.id = NEW.comment_id;
END;
CREATE TRIGGER reviews_live_comments_insert AFTER INSERT ON reviews BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER reviews_live_comments_update AFTER UPDATE ON reviews BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER reviews_live_comments_delete AFTER DELETE ON reviews BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = OLD.track_id;
END;
