-- How the sounds of two recordings compare, so that no pair is decoded twice by the same rules. Derived: it can be made again.
CREATE TABLE kinship_comparisons (
  short_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  long_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  rules TEXT NOT NULL,
  compared TEXT NOT NULL CHECK (json_valid(compared)), -- JSON, `Compared` of kinship/task.ts
  PRIMARY KEY (short_id, long_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kinship_comparisons_by_long ON kinship_comparisons (long_id);
