-- A structure that is found later changes what a search finds too: it names the other reading of a tempo.
DROP TRIGGER analyses_search_update;
CREATE TRIGGER analyses_search_update AFTER UPDATE OF features, structure ON analyses BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
