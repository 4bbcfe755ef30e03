-- The ledger of each library: what was done, in a Merkle tree whose signed heads can be shown to anybody.
CREATE TABLE ledger_logs (
  id INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  log_id TEXT NOT NULL, -- 32 hexadecimal digits, the beginning of the public key's SHA-256
  public_key BLOB NOT NULL, -- Ed25519, 32 bytes
  seed BLOB, -- 32 bytes, sealed under the master secret; null: it came from another server and signs nothing more
  size INTEGER NOT NULL DEFAULT 0, -- records
  edge BLOB NOT NULL DEFAULT x'', -- 32-byte hashes of the complete subtrees, the largest first
  started_at INTEGER NOT NULL,
  ended_at INTEGER, -- null: it goes on
  ended_because TEXT CHECK (ended_because IN ('restored', 'moved', 'key_lost', 'key_renewed')),
  UNIQUE (owner_id, log_id)
) STRICT;
CREATE UNIQUE INDEX ledger_logs_open ON ledger_logs (owner_id) WHERE ended_at IS NULL;

CREATE TABLE ledger_entries (
  log INTEGER NOT NULL REFERENCES ledger_logs (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL, -- from 0, without gaps
  subject TEXT NOT NULL,
  body TEXT NOT NULL, -- canonical JSON: what is hashed
  PRIMARY KEY (log, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_entries_by_subject ON ledger_entries (subject);

-- What the commitments of records hide. Erasing deletes the row, and the tree stays as it is.
CREATE TABLE ledger_openings (
  log INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  subject TEXT NOT NULL,
  part_of TEXT, -- the track that it is about, with which it goes
  salt BLOB NOT NULL, -- 16 random bytes
  detail TEXT NOT NULL, -- canonical JSON
  PRIMARY KEY (log, seq),
  FOREIGN KEY (log, seq) REFERENCES ledger_entries (log, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_openings_by_subject ON ledger_openings (subject);
CREATE INDEX ledger_openings_by_part ON ledger_openings (part_of) WHERE part_of IS NOT NULL;

-- Hashes of the tree, of levels 0, 8 and 16: the others are at most 255 hashes away.
CREATE TABLE ledger_nodes (
  log INTEGER NOT NULL REFERENCES ledger_logs (id) ON DELETE CASCADE,
  level INTEGER NOT NULL,
  place INTEGER NOT NULL,
  hash BLOB NOT NULL, -- SHA-256
  PRIMARY KEY (log, level, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_heads (
  log INTEGER NOT NULL REFERENCES ledger_logs (id) ON DELETE CASCADE,
  size INTEGER NOT NULL,
  at INTEGER NOT NULL,
  head TEXT NOT NULL, -- canonical JSON: what is signed
  signature BLOB NOT NULL, -- 64 bytes
  PRIMARY KEY (log, size)
) STRICT, WITHOUT ROWID;

-- Deeds that wait for their place in the ledger. The deed's own transaction writes them, by the triggers below.
CREATE TABLE ledger_pending (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type TEXT NOT NULL, -- of the record; 'gone': a track or a version that no longer is
  subject TEXT NOT NULL,
  part_of TEXT,
  detail TEXT NOT NULL -- a JSON object of texts and integers
) STRICT;
CREATE INDEX ledger_pending_by_owner ON ledger_pending (owner_id, id);

-- Tracks and versions that no longer are, whose openings go when nothing can bring them back.
CREATE TABLE ledger_erasures (
  subject TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_erasures_due ON ledger_erasures (due_at);
CREATE INDEX ledger_erasures_by_owner ON ledger_erasures (owner_id);

CREATE TRIGGER tracks_ledger_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  VALUES (NEW.owner_id, 'track.created', NEW.id, NEW.id, json_object('name', NEW.name, 'createdAt', NEW.created_at));
END;
CREATE TRIGGER tracks_ledger_activate AFTER UPDATE OF active_version_id ON tracks
WHEN OLD.active_version_id <> NEW.active_version_id BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  VALUES (NEW.owner_id, 'version.activated', NEW.active_version_id, NEW.id,
    json_object('trackId', NEW.id, 'formerVersionId', OLD.active_version_id));
END;
CREATE TRIGGER tracks_ledger_delete AFTER DELETE ON tracks
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.owner_id) BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  VALUES (OLD.owner_id, 'gone', OLD.id, OLD.id, '{}');
END;
CREATE TRIGGER versions_ledger_insert AFTER INSERT ON versions BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  SELECT t.owner_id, 'version.added', NEW.id, t.id, json_object('trackId', t.id, 'sha256', NEW.sha256,
    'sizeBytes', NEW.size_bytes, 'name', NEW.name, 'createdAt', NEW.created_at)
  FROM tracks t WHERE t.id = NEW.track_id;
END;
CREATE TRIGGER versions_ledger_delete AFTER DELETE ON versions BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  SELECT t.owner_id, 'gone', OLD.id, t.id, '{}' FROM tracks t WHERE t.id = OLD.track_id;
END;
CREATE TRIGGER shares_ledger_insert AFTER INSERT ON shares WHEN ifnull(NEW.turned, 'on') = 'on' BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  SELECT NEW.owner_id, 'share.created', NEW.id, v.track_id, json_object('entity', NEW.entity, 'entityId', NEW.entity_id,
    'versionId', v.id, 'sha256', v.sha256, 'recipient', NEW.recipient, 'recipientEmail', NEW.recipient_email,
    'allowDownload', NEW.allow_download, 'createdAt', NEW.created_at)
  FROM (SELECT 1) LEFT JOIN tracks t ON t.id = NEW.entity_id LEFT JOIN versions v ON v.id = t.active_version_id;
END;
CREATE TRIGGER shares_ledger_on AFTER UPDATE OF turned ON shares WHEN OLD.turned = 'not-yet' AND NEW.turned = 'on' BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, detail)
  VALUES (NEW.owner_id, 'share.created', NEW.id, json_object('entity', NEW.entity, 'entityId', NEW.entity_id,
    'recipient', NEW.recipient, 'recipientEmail', NEW.recipient_email, 'allowDownload', NEW.allow_download,
    'createdAt', NEW.created_at));
END;
CREATE TRIGGER shares_ledger_revoke AFTER UPDATE OF revoked_at ON shares
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, detail)
  VALUES (NEW.owner_id, 'share.revoked', NEW.id, json_object('revokedAt', NEW.revoked_at));
END;
CREATE TRIGGER shares_ledger_delete AFTER DELETE ON shares
WHEN OLD.revoked_at IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE id = OLD.owner_id) BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, detail)
  VALUES (OLD.owner_id, 'share.revoked', OLD.id, '{}');
END;
-- Who sent it is not in the ledger: when their account is deleted, nothing of them stays with those who got it.
CREATE TRIGGER brief_submissions_ledger_insert AFTER INSERT ON brief_submissions BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
  SELECT b.owner_id, 'submission.received', NEW.id, t.id,
    json_object('briefId', b.id, 'trackId', t.id, 'createdAt', NEW.created_at)
  FROM briefs b LEFT JOIN tracks t ON t.id = NEW.track_id AND t.owner_id = b.owner_id WHERE b.id = NEW.brief_id;
END;
CREATE TRIGGER delivery_packages_ledger_insert AFTER INSERT ON delivery_packages BEGIN
  INSERT INTO ledger_pending (owner_id, type, subject, detail)
  VALUES (NEW.owner_id, 'delivery.made', NEW.id, json_object('profile', NEW.profile, 'name', NEW.name,
    'recipient', NEW.recipient, 'bytes', NEW.bytes, 'sha256', NEW.sha256, 'madeAt', NEW.made_at));
END;

-- What is here already is recorded from now on.
INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
SELECT t.owner_id, 'version.added', v.id, t.id, json_object('trackId', t.id, 'sha256', v.sha256,
  'sizeBytes', v.size_bytes, 'name', v.name, 'createdAt', v.created_at)
FROM versions v JOIN tracks t ON t.id = v.track_id ORDER BY v.created_at, v.id;
