-- What the ears hear in each passage of a track, for where things are heard. Derived: it can be made again.
CREATE TABLE heard_places (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  version TEXT NOT NULL, -- of the ears
  step_sec REAL NOT NULL, -- from one passage to the next; 0: no music
  likelihoods BLOB NOT NULL -- deflated, a byte for each passage, one name after the other
) STRICT, WITHOUT ROWID;

CREATE TRIGGER heard_places_live_tracks AFTER INSERT ON heard_places BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'tracks', id FROM tracks WHERE id = NEW.track_id;
END;
