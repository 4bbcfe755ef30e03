-- What was measured in every ten seconds of a track: 80 numbers of one byte for each, all 0 where there is no sound.
CREATE TABLE track_passages (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  vectors BLOB NOT NULL
) STRICT, WITHOUT ROWID;
-- The same, one row per passage, to find the nearest of all: made of track_passages as sound_vectors is of track_vectors.
-- id is 1024 * tracks.seq + the number of the passage. Never rename a vec0 table: its shadow tables would keep their names.
CREATE VIRTUAL TABLE passage_vectors USING vec0 (
  id INTEGER PRIMARY KEY,
  owner_id TEXT PARTITION KEY,
  embedding int8[80] distance_metric=cosine,
  space INTEGER,
  chunk_size=256
);
