-- Which tracks changed what a search reads of them, so that the copy in memory follows: one row a track, its revision
-- counted up over the whole library. A deleted track keeps its row.
CREATE TABLE search_changes (
  seq INTEGER PRIMARY KEY, -- of the track
  owner_id TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX search_changes_by_owner ON search_changes (owner_id, revision);
CREATE INDEX search_changes_by_revision ON search_changes (revision);
CREATE INDEX tracks_by_owner ON tracks (owner_id);

INSERT INTO search_changes (seq, owner_id, revision) SELECT seq, owner_id, 0 FROM tracks;

CREATE TRIGGER tracks_search_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;
CREATE TRIGGER tracks_search_update
AFTER UPDATE OF bpm, key, duration_sec, language, lyrics, owner_fields, analysis_version_id, created_at ON tracks BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;
CREATE TRIGGER tracks_search_delete AFTER DELETE ON tracks BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (OLD.seq, OLD.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
  DELETE FROM track_text WHERE rowid = OLD.seq;
END;

-- Where the track itself is gone, its own trigger has spoken.
CREATE TRIGGER track_tags_search_insert AFTER INSERT ON track_tags BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER track_tags_search_update AFTER UPDATE ON track_tags BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER track_tags_search_delete AFTER DELETE ON track_tags BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = OLD.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER tag_suggestions_search_insert AFTER INSERT ON tag_suggestions BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER tag_suggestions_search_update AFTER UPDATE ON tag_suggestions BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER tag_suggestions_search_delete AFTER DELETE ON tag_suggestions BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = OLD.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER track_vectors_search_insert AFTER INSERT ON track_vectors BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER track_vectors_search_update AFTER UPDATE ON track_vectors BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER track_vectors_search_delete AFTER DELETE ON track_vectors BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = OLD.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER analyses_search_insert AFTER INSERT ON analyses BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
CREATE TRIGGER analyses_search_update AFTER UPDATE OF features ON analyses BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;

-- The index of words, made anew: `owner` is the account's id in hexadecimal, one word, so that a question is put to
-- one account's tracks alone and costs what that account has.
DROP TABLE track_text;
CREATE VIRTUAL TABLE track_text USING fts5 (
  name, title, artist, album, composer, lyrics, notes, owner,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO track_text (rowid, name, title, artist, album, composer, lyrics, notes, owner)
SELECT seq, name, title, artist, album, composer, lyrics, notes, hex(owner_id) FROM tracks;
