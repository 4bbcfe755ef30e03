-- What bulk changes did to each track, so that they can be undone for ten minutes.
CREATE TABLE undos (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX undos_by_time ON undos (created_at);

CREATE TABLE undo_steps (
  seq INTEGER PRIMARY KEY,
  undo_id TEXT NOT NULL REFERENCES undos (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL,
  steps TEXT NOT NULL -- JSON [{kind, …}], in the order made
) STRICT;
CREATE INDEX undo_steps_by_undo ON undo_steps (undo_id, seq);
