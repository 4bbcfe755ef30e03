-- Times are epoch milliseconds, booleans 0 or 1, ids opaque text with a type prefix.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE, -- trimmed, lower case
  name TEXT NOT NULL,
  username TEXT UNIQUE, -- null: none chosen
  password_hash TEXT NOT NULL, -- Argon2id, PHC string
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  credits INTEGER CHECK (credits >= 0), -- null: unlimited
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  user_agent TEXT,
  ip TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  absolute_expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, -- null: a platform key
  name TEXT NOT NULL,
  scopes TEXT, -- JSON array; null: every assignable scope, later ones included
  secret_hash BLOB NOT NULL, -- SHA-256 of the secret
  secret_copy BLOB NOT NULL, -- AES-256-GCM of the secret, additional data = id
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER, -- null: never
  revoked_at INTEGER,
  rotated_to TEXT, -- the key that took this one's place
  webhook_url TEXT,
  webhook_active INTEGER NOT NULL DEFAULT 0 CHECK (webhook_active IN (0, 1)),
  webhook_secret BLOB -- AES-256-GCM, additional data = 'webhook'; kept through rotation
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL, -- 'operator', an account's id or a key's id
  action TEXT NOT NULL,
  subject TEXT, -- the id acted on
  detail TEXT -- JSON
) STRICT;
CREATE INDEX audit_log_by_time ON audit_log (at);

CREATE TABLE usage_records (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  account_id TEXT,
  route TEXT NOT NULL, -- the template, never the values
  method TEXT NOT NULL,
  status INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  ip TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_records_by_account ON usage_records (account_id, at, id);
CREATE INDEX usage_records_by_time ON usage_records (at);

CREATE TABLE idempotency_keys (
  principal TEXT NOT NULL, -- key id or account id
  idempotency_key TEXT NOT NULL,
  request_hash BLOB NOT NULL, -- SHA-256 of method, path and body
  status INTEGER, -- null: still running
  body BLOB, -- AES-256-GCM of the answer
  created_at INTEGER NOT NULL,
  PRIMARY KEY (principal, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

CREATE TABLE tracks (
  seq INTEGER PRIMARY KEY, -- rowid of track_text
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  active_version_id TEXT NOT NULL,
  next_version_order INTEGER NOT NULL DEFAULT 1,
  cid TEXT NOT NULL DEFAULT '', -- '' until analysed
  analysis_status TEXT NOT NULL CHECK (analysis_status IN ('pending', 'processing', 'completed', 'failed')),
  analysis_code TEXT, -- why it failed, for programs
  analysis_reason TEXT, -- why it failed, for people
  analysis_version_id TEXT, -- whose measurements the profile shows; null until the first analysis completes
  owner_fields TEXT NOT NULL DEFAULT '[]', -- JSON array: profile columns that the owner wrote
  title TEXT,
  title_fold TEXT,
  artist TEXT,
  bpm REAL,
  key TEXT,
  duration_sec REAL,
  album TEXT,
  album_artist TEXT,
  composer TEXT,
  album_composer TEXT,
  year TEXT,
  album_year TEXT,
  isrc TEXT,
  track_genre TEXT,
  track_number TEXT,
  disc_number TEXT,
  total_tracks_album TEXT,
  total_discs_album TEXT,
  record_label TEXT,
  language TEXT,
  cover TEXT,
  notes TEXT,
  lyrics TEXT
) STRICT;
CREATE INDEX tracks_by_owner_created ON tracks (owner_id, created_at, id);
CREATE INDEX tracks_by_owner_name ON tracks (owner_id, name_fold, id);
CREATE INDEX tracks_by_owner_cid ON tracks (owner_id, cid);
CREATE INDEX tracks_unfinished ON tracks (analysis_status, analysis_code) WHERE analysis_status <> 'completed';

CREATE TABLE versions (
  id TEXT PRIMARY KEY,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  version_order INTEGER NOT NULL,
  label TEXT,
  name TEXT NOT NULL,
  visible INTEGER NOT NULL CHECK (visible IN (0, 1)),
  sha256 TEXT NOT NULL, -- lower-case hex; names the file in the blob store
  size_bytes INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  container TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  analysed_at INTEGER, -- null: cid not shown yet
  UNIQUE (track_id, version_order)
) STRICT;
CREATE INDEX versions_by_blob ON versions (sha256);

CREATE TABLE analyses (
  version_id TEXT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  analyzer_version TEXT NOT NULL,
  analysed_at INTEGER NOT NULL,
  duration_sec REAL NOT NULL,
  sample_rate_hz INTEGER NOT NULL,
  channels INTEGER NOT NULL,
  codec TEXT,
  lossless INTEGER,
  bit_depth INTEGER,
  bitrate_bps INTEGER,
  truncated INTEGER NOT NULL DEFAULT 0, -- 1: the file ended before its declared length
  integrated_lufs REAL, -- null: silence or under 400 ms
  range_lu REAL,
  momentary_max_lufs REAL,
  short_term_max_lufs REAL,
  true_peak_dbtp REAL,
  sample_peak_dbfs REAL,
  bpm REAL, -- null: no beat
  bpm_confidence REAL NOT NULL,
  bpm_candidates TEXT NOT NULL, -- JSON [{bpm, confidence}]
  key TEXT, -- null: no tonal centre
  key_confidence REAL NOT NULL,
  tuning_cents REAL,
  features TEXT NOT NULL, -- JSON {name: number}
  embedded TEXT NOT NULL, -- JSON: the tags of the file as read
  waveform BLOB NOT NULL -- int8 pairs (min, max)
) STRICT;
CREATE INDEX analyses_by_track ON analyses (track_id);

CREATE TABLE track_tags (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  category TEXT NOT NULL, -- the tag-write name: genres, moods, types, vocals, …, tags
  tag_id TEXT NOT NULL, -- of the taxonomy, or of the free text
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  position INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('owner', 'file')),
  owner_id TEXT NOT NULL,
  PRIMARY KEY (track_id, category, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX track_tags_by_name ON track_tags (owner_id, name_fold, track_id);

CREATE TABLE track_vectors (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  version TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  embedding BLOB NOT NULL, -- float32, L2-normalised
  PRIMARY KEY (track_id, provider)
) STRICT, WITHOUT ROWID;

-- Names, people and words only: taxonomy words would match half the library.
CREATE VIRTUAL TABLE track_text USING fts5 (
  name, title, artist, album, composer, lyrics, notes,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE searches (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_id TEXT,
  query TEXT NOT NULL,
  request TEXT NOT NULL, -- JSON: constraints, seeds, excludes, limit
  interpretation TEXT NOT NULL, -- JSON
  result_ids TEXT NOT NULL, -- JSON array, best first
  credits_charged INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX searches_by_account ON searches (account_id, at, id);

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL, -- JSON, thin: no e-mail address, no download link
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_time ON events (at, id);

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  payload TEXT NOT NULL, -- JSON
  unique_key TEXT, -- at most one waiting job with this key
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'dead')),
  run_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL,
  lease_token TEXT, -- of the run in hand
  lease_until INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_due ON jobs (name, run_at, id) WHERE state = 'waiting';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'running';
CREATE UNIQUE INDEX jobs_unique ON jobs (name, unique_key) WHERE state = 'waiting' AND unique_key IS NOT NULL;
