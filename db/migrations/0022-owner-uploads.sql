-- Files that owners send from the console, and what became of them: a finish that is repeated answers the same.
CREATE TABLE owner_uploads (
  id TEXT PRIMARY KEY, -- 128 random bits
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sender_key TEXT, -- the sender's own name for it: an announcement that is repeated finds it again
  path TEXT NOT NULL, -- as the sender named it, with its folders
  for_track_id TEXT, -- whose new version it was announced as; null: a track of its own
  size_bytes INTEGER NOT NULL, -- as announced
  received_bytes INTEGER NOT NULL DEFAULT 0, -- for lists; what counts is the file
  sha256 TEXT, -- null: not received whole, or not read again yet
  outcome TEXT CHECK (outcome IN ('track', 'version', 'twin')), -- null: not finished
  track_id TEXT, -- of the outcome
  version_id TEXT, -- of the outcome
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX owner_uploads_by_key ON owner_uploads (account_id, sender_key) WHERE sender_key IS NOT NULL;
CREATE INDEX owner_uploads_by_end ON owner_uploads (expires_at);

-- Which files of a drop may be here already.
CREATE INDEX versions_by_size ON versions (size_bytes);
