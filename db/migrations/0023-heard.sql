-- Which parts of a track a play consisted of, and where it stopped.
ALTER TABLE activity ADD COLUMN heard TEXT; -- JSON [[from, to], …] in seconds, in order; null: unknown
ALTER TABLE activity ADD COLUMN stopped_sec REAL;
