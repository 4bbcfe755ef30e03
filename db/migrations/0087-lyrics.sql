-- When the lines of a song are sung. The words themselves are in tracks.lyrics, and they alone count: these lines say which times
-- belong to which of them, for one version, as they were when they were timed.
CREATE TABLE timed_lyrics (
  version_id TEXT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
  lines TEXT NOT NULL, -- JSON: [{text, atMs}], milliseconds or null
  origin TEXT NOT NULL CHECK (origin IN ('written', 'file', 'carried')), -- by a person; in the file's tags; from another version
  updated_at INTEGER NOT NULL -- of carried ones: of those that they come from
) STRICT;

-- Visitors of a link read the words.
ALTER TABLE shares ADD COLUMN show_lyrics INTEGER NOT NULL DEFAULT 0 CHECK (show_lyrics IN (0, 1));

CREATE TRIGGER timed_lyrics_live_tracks_insert AFTER INSERT ON timed_lyrics BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = NEW.version_id;
END;
CREATE TRIGGER timed_lyrics_live_tracks_update AFTER UPDATE ON timed_lyrics BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = NEW.version_id;
END;
CREATE TRIGGER timed_lyrics_live_tracks_delete AFTER DELETE ON timed_lyrics BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = OLD.version_id;
END;
