-- SQLite before 3.45 takes json_valid(NULL) for false: its quick_check found a fault in every analysis without a structure. A check of
-- a column cannot be changed, so the column is made anew.
DROP TRIGGER analyses_search_update;
DROP INDEX analyses_without_structure;
ALTER TABLE analyses ADD COLUMN counted TEXT CHECK (counted IS NULL OR json_valid(counted));
UPDATE analyses SET counted = structure WHERE structure IS NOT NULL;
ALTER TABLE analyses DROP COLUMN structure;
ALTER TABLE analyses RENAME COLUMN counted TO structure;
CREATE INDEX analyses_without_structure ON analyses (version_id) WHERE structure IS NULL;
CREATE TRIGGER analyses_search_update AFTER UPDATE OF features, structure ON analyses BEGIN
  INSERT INTO search_changes (seq, owner_id, revision)
  SELECT seq, owner_id, (SELECT coalesce(max(revision), 0) + 1 FROM search_changes) FROM tracks WHERE id = NEW.track_id
  ON CONFLICT (seq) DO UPDATE SET revision = excluded.revision;
END;
