-- The vectors of a chunk lie in one value, a chain of pages that SQLite follows from its first to the page of the vector
-- that a search measures. 32 per chunk make chains of 7 pages, 256 made chains of 49. The job fill_vectors makes them anew.
DROP TABLE sound_vectors;
CREATE VIRTUAL TABLE sound_vectors USING vec0 (
  seq INTEGER PRIMARY KEY,
  owner_id TEXT PARTITION KEY,
  embedding float[196] distance_metric=cosine,
  space INTEGER,
  chunk_size=32
);
UPDATE vector_fill SET sound_seq = 0;
