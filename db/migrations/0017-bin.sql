-- Deleted tracks and playlists stay in the bin until `deleted_at` is 30 days old. What belongs to them stays as it is.
ALTER TABLE tracks ADD COLUMN deleted_at INTEGER; -- null: not in the bin
ALTER TABLE playlists ADD COLUMN deleted_at INTEGER; -- null: not in the bin
CREATE INDEX tracks_in_bin ON tracks (owner_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX playlists_in_bin ON playlists (owner_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

-- With `deleted_at`, so that duplicates are still found in the index alone.
DROP INDEX tracks_by_owner_cid;
CREATE INDEX tracks_by_owner_cid ON tracks (owner_id, cid, deleted_at);

-- The places of tracks that are in the bin. They leave their playlists, and come back where they were.
CREATE TABLE playlist_tracks_in_bin (
  id INTEGER PRIMARY KEY,
  playlist_id TEXT NOT NULL REFERENCES playlists (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX playlist_tracks_in_bin_by_track ON playlist_tracks_in_bin (track_id);
CREATE INDEX playlist_tracks_in_bin_by_playlist ON playlist_tracks_in_bin (playlist_id);

CREATE TRIGGER tracks_into_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO playlist_tracks_in_bin SELECT id, playlist_id, track_id, position, added_at
  FROM playlist_tracks WHERE track_id = NEW.id;
  DELETE FROM playlist_tracks WHERE track_id = NEW.id;
  UPDATE library_totals SET tracks = tracks - 1,
    duration_ms = duration_ms - CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
  UPDATE library_tags SET tracks = tracks - 1 WHERE owner_id = NEW.owner_id AND (category, tag_id) IN
    (SELECT category, tag_id FROM track_tags WHERE track_id = NEW.id);
END;
-- A place whose number was given away meanwhile gets another; its position decides the order.
CREATE TRIGGER tracks_out_of_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO playlist_tracks (id, playlist_id, track_id, position, added_at)
  SELECT iif(EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.id = b.id), NULL, b.id),
    b.playlist_id, b.track_id, b.position, b.added_at
  FROM playlist_tracks_in_bin b WHERE b.track_id = NEW.id ORDER BY b.id;
  DELETE FROM playlist_tracks_in_bin WHERE track_id = NEW.id;
  UPDATE library_totals SET tracks = tracks + 1,
    duration_ms = duration_ms + CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  SELECT owner_id, category, tag_id, name, 1 FROM track_tags
  WHERE track_id = NEW.id AND category IN ('genres', 'moods')
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;
CREATE TRIGGER tracks_search_bin AFTER UPDATE OF deleted_at ON tracks BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;

-- What a library holds is what is not in the bin. A track is taken out of the bin before it is deleted for good.
DROP TRIGGER tracks_change_totals;
CREATE TRIGGER tracks_change_totals AFTER UPDATE OF duration_sec ON tracks
WHEN OLD.duration_sec IS NOT NEW.duration_sec AND NEW.deleted_at IS NULL BEGIN
  UPDATE library_totals SET duration_ms = duration_ms
    + CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
    - CAST(round(ifnull(OLD.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
END;
DROP TRIGGER track_tags_begin_totals;
CREATE TRIGGER track_tags_begin_totals AFTER INSERT ON track_tags
WHEN NEW.category IN ('genres', 'moods')
  AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = NEW.track_id AND deleted_at IS NOT NULL) BEGIN
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  VALUES (NEW.owner_id, NEW.category, NEW.tag_id, NEW.name, 1)
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;
DROP TRIGGER track_tags_end_totals;
CREATE TRIGGER track_tags_end_totals AFTER DELETE ON track_tags
WHEN OLD.category IN ('genres', 'moods')
  AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = OLD.track_id AND deleted_at IS NOT NULL) BEGIN
  UPDATE library_tags SET tracks = tracks - 1
  WHERE owner_id = OLD.owner_id AND category = OLD.category AND tag_id = OLD.tag_id;
END;

DROP INDEX playlists_by_update;
CREATE INDEX playlists_by_update ON playlists (owner_id, deleted_at, updated_at);
