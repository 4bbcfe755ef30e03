-- Marks the file as a Dubplate database: "DPLT".
PRAGMA application_id = 1146113108;

-- Who this library is. Its only row is written by the program, which alone knows the master secret.
CREATE TABLE store (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  -- Counts the starts of the server. A database that is behind its folder's store.json is an older copy.
  generation INTEGER NOT NULL,
  -- HMAC-SHA256 with the master secret over "dubplate store " and the id.
  secret_check BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  -- 1: the last server stopped in good order, so the file needs no check before the next one serves.
  is_clean INTEGER NOT NULL DEFAULT 1,
  -- 1: originals were in the audio folder, so a start without any of them is refused.
  has_audio INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Why no file may be moved to the quarantine by a sweep, nor deleted from it, until the operator says so.
CREATE TABLE removal_holds (
  reason TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  -- JSON: the numbers that explain it.
  detail TEXT NOT NULL
) STRICT;
