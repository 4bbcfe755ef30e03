-- Tracks that sound like mixes of older ones: whether they are versions of these is for their owner to say. With `declined_at` they are
-- not, and nobody asks again.
CREATE TABLE mix_offers (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE, -- the newer one
  other_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  owner_id TEXT NOT NULL REFERENCES accounts (id),
  similarity REAL NOT NULL, -- 0..1
  is_same_mix INTEGER NOT NULL,
  offered_at INTEGER NOT NULL,
  declined_at INTEGER,
  PRIMARY KEY (track_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mix_offers_open ON mix_offers (owner_id, offered_at, track_id) WHERE declined_at IS NULL;
CREATE INDEX mix_offers_by_other ON mix_offers (other_id);

CREATE TRIGGER mix_offers_live_tracks_insert AFTER INSERT ON mix_offers BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'tracks', NEW.track_id);
END;
CREATE TRIGGER mix_offers_live_tracks_update AFTER UPDATE ON mix_offers BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'tracks', NEW.track_id);
END;
