-- Whether what leaves by a link is marked for it. Links that are there already send what they sent before.
ALTER TABLE shares ADD COLUMN is_marked INTEGER NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1));

-- What the mark of a version is made with. It outlives the version: a leak may come later.
CREATE TABLE mark_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  version_id TEXT NOT NULL,
  key BLOB NOT NULL, -- 32 random bytes, sealed under the master secret; in an export of the account, as they are
  PRIMARY KEY (account_id, version_id)
) STRICT, WITHOUT ROWID;

-- Whose copy carries which code. It outlives the link, the package, the version and the track.
CREATE TABLE marked_copies (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  share_id TEXT, -- the link
  package_id TEXT, -- or the package
  version_id TEXT NOT NULL,
  track_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('listen', 'download', 'package')),
  code BLOB NOT NULL CHECK (length(code) = 16), -- random; what one recipient of a link hears and downloads of a version has the same
  recipient TEXT, -- in the owner's words, when it was made; null: anyone
  created_at INTEGER NOT NULL,
  delivered_at INTEGER -- when the first byte of it left; null: it is only prepared
) STRICT;
CREATE UNIQUE INDEX marked_copies_of_link ON marked_copies (account_id, share_id, version_id, kind, ifnull(recipient, ''));
CREATE INDEX marked_copies_by_version ON marked_copies (account_id, version_id);

-- The files of copies: a leak may be one of them, unchanged. A file that is made again is a row of its own where its bytes differ.
CREATE TABLE marked_files (
  copy_id TEXT NOT NULL REFERENCES marked_copies (id) ON DELETE CASCADE,
  encoding TEXT NOT NULL CHECK (encoding IN ('opus', 'aac', 'original')),
  sha256 TEXT NOT NULL, -- lower-case hex
  size_bytes INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  is_kept INTEGER NOT NULL CHECK (is_kept IN (0, 1)), -- it is in storage
  PRIMARY KEY (copy_id, encoding, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX marked_files_by_sha256 ON marked_files (sha256);
