-- Which file holds an account's search index. The row is what makes a file valid: it is committed after what the file
-- was read from, so that any copy of the database that has the row has all of that too.
CREATE TABLE search_snapshots (
  owner_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL, -- of the file, random
  content TEXT NOT NULL, -- version of what such files hold
  revision INTEGER NOT NULL, -- of search_changes, as in the file
  tracks INTEGER NOT NULL
) STRICT;

CREATE TRIGGER analyses_search_delete AFTER DELETE ON analyses BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = OLD.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
