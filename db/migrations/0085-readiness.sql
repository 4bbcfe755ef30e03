-- What the sound of a version may be sent back for, as measured. Rules with their limits read it.
CREATE TABLE readiness_results (
  version_id TEXT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
  rules TEXT NOT NULL, -- version of what is measured
  measured TEXT NOT NULL, -- JSON: facts by name
  at INTEGER NOT NULL,
  PRIMARY KEY (version_id, rules)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER readiness_results_live_tracks AFTER INSERT ON readiness_results BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT t.owner_id, 'tracks', t.id FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = NEW.version_id;
END;

-- Which tracks have the same ISRC.
CREATE INDEX tracks_by_isrc ON tracks (owner_id, isrc) WHERE isrc IS NOT NULL;
