-- The words of names are in the search index too, so a new name is a change that it follows.
CREATE TRIGGER tracks_search_names AFTER UPDATE OF name, title, artist, album, composer ON tracks BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  VALUES (NEW.seq, NEW.owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes))
  ON CONFLICT (seq) DO UPDATE SET owner_id = excluded.owner_id, revision = excluded.revision;
END;
