-- What the whole REST contract stands on beside tracks: playlists, composers, shares, briefs, notifications, learning.

ALTER TABLE accounts ADD COLUMN acquisition_source TEXT; -- 'file_request'; null: unknown
ALTER TABLE accounts ADD COLUMN acquisition_brief_id TEXT;

CREATE TABLE playlists (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  image TEXT, -- storage key
  collaborative INTEGER NOT NULL DEFAULT 0 CHECK (collaborative IN (0, 1)),
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX playlists_by_owner ON playlists (owner_id, created_at, id);
CREATE INDEX playlists_by_image ON playlists (image) WHERE image IS NOT NULL;
CREATE INDEX tracks_by_cover ON tracks (cover) WHERE cover IS NOT NULL;

CREATE TABLE playlist_tracks (
  id INTEGER PRIMARY KEY,
  playlist_id TEXT NOT NULL REFERENCES playlists (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  position INTEGER NOT NULL, -- ascending, with gaps; a track may stand in a list twice
  added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX playlist_tracks_in_order ON playlist_tracks (playlist_id, position);
CREATE INDEX playlist_tracks_by_track ON playlist_tracks (track_id);

CREATE TABLE composers (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  full_name TEXT NOT NULL, -- '' once deleted
  artist_name TEXT,
  email TEXT, -- trimmed, lower case; null once deleted
  publisher TEXT,
  pro TEXT,
  ipi TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER -- a tombstone keeps cursors alive, and nothing of the person
) STRICT;
CREATE UNIQUE INDEX composers_by_email ON composers (owner_id, email) WHERE deleted_at IS NULL;
CREATE INDEX composers_by_owner ON composers (owner_id, created_at, id);

CREATE TABLE track_shareholders (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  composer_id TEXT NOT NULL REFERENCES composers (id),
  share REAL NOT NULL CHECK (share BETWEEN 0 AND 100), -- per cent
  role TEXT NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (track_id, composer_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX track_shareholders_by_composer ON track_shareholders (composer_id, created_at);

CREATE TABLE shares (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entity TEXT NOT NULL CHECK (entity IN ('track', 'playlist')),
  entity_id TEXT NOT NULL,
  token TEXT NOT NULL UNIQUE, -- 128 random bits; the last part of the public address
  password_hash TEXT, -- Argon2id
  expires_at INTEGER,
  max_uses INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  allow_download INTEGER NOT NULL DEFAULT 0 CHECK (allow_download IN (0, 1)),
  allow_comments INTEGER NOT NULL DEFAULT 0 CHECK (allow_comments IN (0, 1)),
  recipient TEXT, -- null: for anybody
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX shares_public ON shares (entity_id, created_at, id) WHERE recipient IS NULL; -- for pages of tracks
CREATE INDEX shares_by_owner ON shares (owner_id, created_at, id);

CREATE TABLE briefs (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'closed', 'archived')),
  deadline INTEGER,
  priority TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high')),
  tags TEXT NOT NULL DEFAULT '[]', -- JSON array
  contact_email TEXT,
  description TEXT,
  token TEXT NOT NULL UNIQUE, -- of the public submission page
  public_page INTEGER NOT NULL DEFAULT 0 CHECK (public_page IN (0, 1)),
  public_since INTEGER, -- when the page was first on; such a brief is a file request for good
  is_paid INTEGER NOT NULL DEFAULT 0 CHECK (is_paid IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX briefs_by_owner ON briefs (owner_id, created_at, id);
CREATE INDEX briefs_public ON briefs (public_since) WHERE public_since IS NOT NULL;

CREATE TABLE brief_requests (
  id TEXT PRIMARY KEY,
  brief_id TEXT NOT NULL REFERENCES briefs (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  message TEXT,
  token TEXT NOT NULL UNIQUE, -- of the personal submission link
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX brief_requests_by_brief ON brief_requests (brief_id, created_at);

-- One row an item; what was sent together has one batch.
CREATE TABLE brief_submissions (
  id TEXT PRIMARY KEY,
  brief_id TEXT NOT NULL REFERENCES briefs (id) ON DELETE CASCADE,
  batch_id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('track', 'link')),
  track_id TEXT REFERENCES tracks (id) ON DELETE SET NULL,
  link TEXT,
  message TEXT,
  request_id TEXT REFERENCES brief_requests (id) ON DELETE SET NULL,
  submitter_account_id TEXT,
  submitter_hash TEXT, -- keyed hash of the identity; null: none was given
  kind TEXT NOT NULL CHECK (kind IN ('free', 'paid')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX brief_submissions_by_brief ON brief_submissions (brief_id, created_at, id);
CREATE INDEX brief_submissions_by_track ON brief_submissions (track_id, created_at);

CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'track.audio_replaced', 'brief.submission', …
  title TEXT NOT NULL,
  entity_key TEXT NOT NULL, -- track, playlist, composer, brief
  entity_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;
CREATE INDEX notifications_by_account ON notifications (account_id, created_at, id);

CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  author_id TEXT, -- null: a visitor of a share link
  author_name TEXT NOT NULL,
  share_id TEXT REFERENCES shares (id) ON DELETE SET NULL,
  text TEXT NOT NULL,
  position_sec REAL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX comments_by_track ON comments (track_id, created_at, id);

CREATE TABLE saves (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entity TEXT NOT NULL CHECK (entity IN ('track', 'playlist')),
  entity_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, entity, entity_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag_suggestions (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  category TEXT NOT NULL, -- the tag-write name
  tag_id TEXT NOT NULL,
  name TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  model_version TEXT NOT NULL,
  PRIMARY KEY (track_id, category, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_suggestions_by_tag ON tag_suggestions (tag_id, confidence);
ALTER TABLE tracks ADD COLUMN suggestion_model TEXT; -- what last looked for suggestions; null: nothing yet

-- What owners said of tags, for learning. Append-only.
CREATE TABLE tag_feedback (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'added', 'rejected')),
  source TEXT NOT NULL CHECK (source IN ('patch', 'apply')),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX tag_feedback_by_owner ON tag_feedback (owner_id, at);
CREATE INDEX tag_feedback_by_track ON tag_feedback (track_id, category, tag_id, at);

-- Smaller or more playable copies of originals, by the original's bytes.
CREATE TABLE renditions (
  sha256 TEXT PRIMARY KEY, -- of the original
  media_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
