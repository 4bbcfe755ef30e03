-- Objects of a bucket that no version names, or not yet. Objects do not move to a quarantine: they stay in their place, and this
-- says since when they are to go. A row is written before its object, so that an upload that was broken off leaves one.
CREATE TABLE bucket_removals (
  sha256 TEXT PRIMARY KEY,
  -- Epoch milliseconds; 0: an erased account had it, and it goes at once.
  since INTEGER NOT NULL,
  -- When a process began to delete the object. From then on it must not be named.
  deleting_at INTEGER,
  is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX bucket_removals_by_time ON bucket_removals (is_deleted, since);
