-- What is compared when tracks are compared by their sound: the versions of such vectors, and how many numbers each has.
CREATE TABLE vector_spaces (id INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL) STRICT;
-- One vector of length 1 per track, made of its rows in track_vectors; seq is that of tracks. Never rename a vec0 table:
-- its shadow tables would keep their names. Each account has chunks of its own, 256 vectors each.
CREATE VIRTUAL TABLE sound_vectors USING vec0 (
  seq INTEGER PRIMARY KEY,
  owner_id TEXT PARTITION KEY,
  embedding float[196] distance_metric=cosine,
  space INTEGER,
  chunk_size=256
);
-- How far the vectors of the library have been made.
CREATE TABLE vector_fill (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  space INTEGER, -- whose vectors are made; null: none yet
  sound_seq INTEGER, -- tracks up to this number have theirs; null: all of them
  packed_at INTEGER NOT NULL -- when the chunks were last looked at for dead space
) STRICT;
INSERT INTO vector_fill (id, space, sound_seq, packed_at) VALUES (1, NULL, 0, 0);
