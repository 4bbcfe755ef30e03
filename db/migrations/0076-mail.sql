-- Mails that leave the server, who does not want them, what the members want to hear of, and what recipients of links answer.
CREATE TABLE mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE, -- mail_…
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, -- null: the server's own
  kind TEXT NOT NULL,
  dedupe TEXT NOT NULL UNIQUE, -- what may happen once
  to_email TEXT NOT NULL,
  to_name TEXT,
  share_id TEXT REFERENCES shares (id) ON DELETE SET NULL,
  request_id TEXT REFERENCES brief_requests (id) ON DELETE SET NULL,
  subject TEXT NOT NULL,
  body BLOB, -- sealed; null once it is over
  made_by TEXT, -- a person
  state TEXT NOT NULL CHECK (state IN ('waiting', 'ending', 'sent', 'refused', 'unsure', 'cancelled')),
  due_at INTEGER,
  expires_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  unsure INTEGER NOT NULL DEFAULT 0, -- how often its end was on its way when the connection or the program ended
  code INTEGER, -- of the last answer
  answer TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX mails_due ON mails (state, due_at);
CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX mails_by_account ON mails (account_id, created_at);
CREATE INDEX mails_by_share ON mails (share_id) WHERE share_id IS NOT NULL;
CREATE INDEX mails_by_request ON mails (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE mail_stops (
  email TEXT NOT NULL, -- trimmed, lower case
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, -- null: of the whole server
  at INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('link', 'owner'))
) STRICT;
CREATE UNIQUE INDEX mail_stops_by_email ON mail_stops (email, ifnull(account_id, ''));
CREATE INDEX mail_stops_by_account ON mail_stops (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE mail_wishes (
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  every TEXT NOT NULL CHECK (every IN ('off', 'hourly', 'daily', 'weekly')),
  kinds TEXT NOT NULL, -- JSON, an array
  sent_until INTEGER NOT NULL,
  PRIMARY KEY (person_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_wishes_by_account ON mail_wishes (account_id);

CREATE TABLE email_changes (
  person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE share_answers (
  id TEXT PRIMARY KEY, -- ans_…
  share_id TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  version_id TEXT REFERENCES versions (id) ON DELETE SET NULL,
  answer TEXT NOT NULL CHECK (answer IN ('interested', 'pass', 'instrumental', 'terms')),
  text TEXT,
  at INTEGER NOT NULL,
  done_at INTEGER, -- when somebody of the library was done with it
  UNIQUE (share_id, track_id)
) STRICT;
CREATE INDEX share_answers_by_track ON share_answers (track_id);
CREATE INDEX share_answers_by_version ON share_answers (version_id) WHERE version_id IS NOT NULL;

ALTER TABLE shares ADD COLUMN recipient_email TEXT;
ALTER TABLE shares ADD COLUMN not_before INTEGER; -- nothing opens before
ALTER TABLE shares ADD COLUMN ask_answer INTEGER NOT NULL DEFAULT 0 CHECK (ask_answer IN (0, 1));
