-- Recordings of one account that are mixes of one song: they run together, but are not the same mix.
CREATE TABLE recording_mixes (
  earlier_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  later_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  similarity REAL NOT NULL, -- 0..1
  PRIMARY KEY (earlier_id, later_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recording_mixes_by_later ON recording_mixes (later_id);
-- Mixes of one song are as long as each other, but for a trimmed start.
CREATE INDEX recordings_by_length ON recordings (owner_id, length(codes));
