-- A track may go to another account. It gets a new number then, and the old one keeps its row in the feed of changes: so
-- the former owner's search index learns that the track is gone. The statement that changes the owner sets the number.
CREATE TRIGGER tracks_change_owner AFTER UPDATE OF owner_id ON tracks WHEN OLD.owner_id <> NEW.owner_id BEGIN
  UPDATE track_rows SET seq = NEW.seq, owner_id = iif(NEW.deleted_at IS NULL, NEW.owner_id, NULL) WHERE seq = OLD.seq;
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (OLD.seq, OLD.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;
-- What is in the bin is in no total.
CREATE TRIGGER tracks_change_owner_totals AFTER UPDATE OF owner_id ON tracks
WHEN OLD.owner_id <> NEW.owner_id AND NEW.deleted_at IS NULL BEGIN
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
