-- A new place in a playlist may get the number of one that went into the bin, which must not keep its own track out of the bin.
-- Places keep their numbers where these are free, and get ones that neither table has otherwise.
DROP TRIGGER tracks_into_bin;
CREATE TRIGGER tracks_into_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO playlist_tracks_in_bin (id, playlist_id, track_id, position, added_at)
  SELECT iif(EXISTS (SELECT 1 FROM playlist_tracks_in_bin b WHERE b.id = p.id),
      max((SELECT max(id) FROM playlist_tracks), (SELECT max(id) FROM playlist_tracks_in_bin))
        + row_number() OVER (ORDER BY p.id), p.id),
    p.playlist_id, p.track_id, p.position, p.added_at
  FROM playlist_tracks p WHERE p.track_id = NEW.id;
  DELETE FROM playlist_tracks WHERE track_id = NEW.id;
END;
DROP TRIGGER tracks_out_of_bin;
CREATE TRIGGER tracks_out_of_bin AFTER UPDATE OF deleted_at ON tracks
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO playlist_tracks (id, playlist_id, track_id, position, added_at)
  SELECT iif(EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.id = b.id),
      max((SELECT max(id) FROM playlist_tracks), (SELECT max(id) FROM playlist_tracks_in_bin))
        + row_number() OVER (ORDER BY b.id), b.id),
    b.playlist_id, b.track_id, b.position, b.added_at
  FROM playlist_tracks_in_bin b WHERE b.track_id = NEW.id ORDER BY b.id;
  DELETE FROM playlist_tracks_in_bin WHERE track_id = NEW.id;
END;
