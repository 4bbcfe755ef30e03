-- A track that a visitor sent to a brief stays in the Inbox until it is kept. Until then it is in no list, count or total of the
-- library: `track_rows` has it under the owner `inbox …`, as it has what is in the bin under none.
ALTER TABLE tracks ADD COLUMN in_inbox INTEGER NOT NULL DEFAULT 0 CHECK (in_inbox IN (0, 1));
CREATE INDEX tracks_in_inbox ON tracks (owner_id, seq) WHERE in_inbox = 1;

-- With `in_inbox`, so that duplicates are still found in the index alone.
DROP INDEX tracks_by_owner_cid;
CREATE INDEX tracks_by_owner_cid ON tracks (owner_id, cid, deleted_at, in_inbox);

DROP TRIGGER tracks_rows_insert;
CREATE TRIGGER tracks_rows_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO track_rows (seq, id, owner_id, created_at, title, artist, words, bpm, key, duration_sec, status, updated_at)
  VALUES (NEW.seq, NEW.id, iif(NEW.in_inbox, 'inbox ' || NEW.owner_id, NEW.owner_id), NEW.created_at,
    coalesce(NEW.title_fold, NEW.name_fold), NEW.artist_fold,
    concat_ws(char(10), NEW.name_fold, NEW.title_fold, NEW.artist_fold), NEW.bpm, NEW.key, NEW.duration_sec,
    NEW.analysis_status, NEW.created_at);
END;
DROP TRIGGER tracks_rows_update;
CREATE TRIGGER tracks_rows_update AFTER UPDATE OF name_fold, title_fold, artist_fold, bpm, key, duration_sec, analysis_status,
  active_version_id, deleted_at, in_inbox, owner_id, created_at ON tracks
BEGIN
  UPDATE track_rows SET
    owner_id = iif(NEW.deleted_at IS NULL, iif(NEW.in_inbox, 'inbox ' || NEW.owner_id, NEW.owner_id), NULL),
    created_at = NEW.created_at, title = coalesce(NEW.title_fold, NEW.name_fold), artist = NEW.artist_fold,
    words = concat_ws(char(10), NEW.name_fold, NEW.title_fold, NEW.artist_fold), bpm = NEW.bpm, key = NEW.key,
    duration_sec = NEW.duration_sec, status = NEW.analysis_status,
    visible = coalesce((SELECT v.visible FROM versions v WHERE v.id = NEW.active_version_id), 1)
  WHERE seq = NEW.seq;
END;
DROP TRIGGER tracks_change_owner;
CREATE TRIGGER tracks_change_owner AFTER UPDATE OF owner_id ON tracks WHEN OLD.owner_id <> NEW.owner_id BEGIN
  UPDATE track_rows SET seq = NEW.seq,
    owner_id = iif(NEW.deleted_at IS NULL, iif(NEW.in_inbox, 'inbox ' || NEW.owner_id, NEW.owner_id), NULL)
  WHERE seq = OLD.seq;
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (OLD.seq, OLD.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;

-- Totals are of what is in the library: neither in the bin nor in the Inbox.
DROP TRIGGER tracks_begin_totals;
CREATE TRIGGER tracks_begin_totals AFTER INSERT ON tracks WHEN NEW.in_inbox = 0 BEGIN
  INSERT INTO library_totals (owner_id, tracks, duration_ms)
  VALUES (NEW.owner_id, 1, CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER))
  ON CONFLICT (owner_id) DO UPDATE SET tracks = tracks + 1, duration_ms = duration_ms + excluded.duration_ms;
END;
DROP TRIGGER tracks_change_totals;
CREATE TRIGGER tracks_change_totals AFTER UPDATE OF duration_sec ON tracks
WHEN OLD.duration_sec IS NOT NEW.duration_sec AND NEW.deleted_at IS NULL AND NEW.in_inbox = 0 BEGIN
  UPDATE library_totals SET duration_ms = duration_ms
    + CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
    - CAST(round(ifnull(OLD.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
END;
DROP TRIGGER tracks_end_totals;
CREATE TRIGGER tracks_end_totals AFTER DELETE ON tracks WHEN OLD.in_inbox = 0 BEGIN
  UPDATE library_totals SET tracks = tracks - 1,
    duration_ms = duration_ms - CAST(round(ifnull(OLD.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = OLD.owner_id;
END;
DROP TRIGGER track_tags_begin_totals;
CREATE TRIGGER track_tags_begin_totals AFTER INSERT ON track_tags
WHEN NEW.category IN ('genres', 'moods')
  AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = NEW.track_id AND (deleted_at IS NOT NULL OR in_inbox = 1)) BEGIN
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  VALUES (NEW.owner_id, NEW.category, NEW.tag_id, NEW.name, 1)
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;
DROP TRIGGER track_tags_end_totals;
CREATE TRIGGER track_tags_end_totals AFTER DELETE ON track_tags
WHEN OLD.category IN ('genres', 'moods')
  AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = OLD.track_id AND (deleted_at IS NOT NULL OR in_inbox = 1)) BEGIN
  UPDATE library_tags SET tracks = tracks - 1
  WHERE owner_id = OLD.owner_id AND category = OLD.category AND tag_id = OLD.tag_id;
END;
-- Places in playlists come and go with the bin; totals with both.
DROP TRIGGER tracks_into_bin;
CREATE TRIGGER tracks_into_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO playlist_tracks_in_bin SELECT id, playlist_id, track_id, position, added_at
  FROM playlist_tracks WHERE track_id = NEW.id;
  DELETE FROM playlist_tracks WHERE track_id = NEW.id;
END;
DROP TRIGGER tracks_out_of_bin;
CREATE TRIGGER tracks_out_of_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO playlist_tracks (id, playlist_id, track_id, position, added_at)
  SELECT iif(EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.id = b.id), NULL, b.id),
    b.playlist_id, b.track_id, b.position, b.added_at
  FROM playlist_tracks_in_bin b WHERE b.track_id = NEW.id ORDER BY b.id;
  DELETE FROM playlist_tracks_in_bin WHERE track_id = NEW.id;
END;
CREATE TRIGGER tracks_leave_library AFTER UPDATE OF deleted_at, in_inbox ON tracks
WHEN OLD.deleted_at IS NULL AND OLD.in_inbox = 0 AND (NEW.deleted_at IS NOT NULL OR NEW.in_inbox = 1) BEGIN
  UPDATE library_totals SET tracks = tracks - 1,
    duration_ms = duration_ms - CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
  UPDATE library_tags SET tracks = tracks - 1 WHERE owner_id = NEW.owner_id AND (category, tag_id) IN
    (SELECT category, tag_id FROM track_tags WHERE track_id = NEW.id);
END;
CREATE TRIGGER tracks_enter_library AFTER UPDATE OF deleted_at, in_inbox ON tracks
WHEN (OLD.deleted_at IS NOT NULL OR OLD.in_inbox = 1) AND NEW.deleted_at IS NULL AND NEW.in_inbox = 0 BEGIN
  INSERT INTO library_totals (owner_id, tracks, duration_ms)
  VALUES (NEW.owner_id, 1, CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER))
  ON CONFLICT (owner_id) DO UPDATE SET tracks = tracks + 1, duration_ms = duration_ms + excluded.duration_ms;
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  SELECT owner_id, category, tag_id, name, 1 FROM track_tags
  WHERE track_id = NEW.id AND category IN ('genres', 'moods')
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;
DROP TRIGGER tracks_change_owner_totals;
CREATE TRIGGER tracks_change_owner_totals AFTER UPDATE OF owner_id ON tracks
WHEN OLD.owner_id <> NEW.owner_id AND NEW.deleted_at IS NULL AND NEW.in_inbox = 0 BEGIN
  UPDATE library_totals SET tracks = tracks - 1,
    duration_ms = duration_ms - CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = OLD.owner_id;
  INSERT INTO library_totals (owner_id, tracks, duration_ms)
  VALUES (NEW.owner_id, 1, CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER))
  ON CONFLICT (owner_id) DO UPDATE SET tracks = tracks + 1, duration_ms = duration_ms + excluded.duration_ms;
  UPDATE library_tags SET tracks = tracks - 1 WHERE owner_id = OLD.owner_id AND (category, tag_id) IN
    (SELECT category, tag_id FROM track_tags WHERE track_id = NEW.id);
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  SELECT NEW.owner_id, category, tag_id, name, 1 FROM track_tags
  WHERE track_id = NEW.id AND category IN ('genres', 'moods')
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;

-- What nobody can decide about any more does not wait: its brief was deleted.
CREATE TRIGGER brief_submissions_release AFTER DELETE ON brief_submissions WHEN OLD.track_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM brief_submissions s WHERE s.track_id = OLD.track_id) BEGIN
  UPDATE tracks SET in_inbox = 0 WHERE id = OLD.track_id AND in_inbox = 1;
END;

-- What came in before and is still hidden. What its owner showed is in the library already.
UPDATE tracks SET in_inbox = 1 WHERE id IN (
  SELECT s.track_id FROM brief_submissions s JOIN briefs b ON b.id = s.brief_id JOIN tracks t ON t.id = s.track_id
  JOIN versions v ON v.id = t.active_version_id
  WHERE s.submitter_account_id IS NULL AND t.owner_id = b.owner_id AND v.visible = 0
) AND id NOT IN (SELECT track_id FROM brief_submissions WHERE state = 'kept' AND track_id IS NOT NULL);
