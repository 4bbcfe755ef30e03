-- Who made what. Null: from before there were members, or by the operator.
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
UPDATE api_keys SET made_by = account_id WHERE account_id IS NOT NULL;
ALTER TABLE oauth_grants ADD COLUMN person_id TEXT;
UPDATE oauth_grants SET person_id = account_id;
ALTER TABLE undos ADD COLUMN made_by TEXT;
UPDATE undos SET made_by = account_id;
ALTER TABLE searches ADD COLUMN person_id TEXT;
UPDATE searches SET person_id = account_id;
ALTER TABLE assistant_calls ADD COLUMN person_id TEXT;
ALTER TABLE owner_uploads ADD COLUMN made_by TEXT;
UPDATE owner_uploads SET made_by = account_id;
ALTER TABLE playlists ADD COLUMN made_by TEXT;
ALTER TABLE versions ADD COLUMN made_by TEXT;
ALTER TABLE shares ADD COLUMN made_by TEXT;
ALTER TABLE briefs ADD COLUMN made_by TEXT;

ALTER TABLE audit_log ADD COLUMN account_id TEXT;
ALTER TABLE audit_log ADD COLUMN person_id TEXT;
ALTER TABLE audit_log ADD COLUMN key_id TEXT;
UPDATE audit_log SET account_id = actor, person_id = actor WHERE actor IN (SELECT id FROM accounts);
CREATE INDEX audit_log_by_account ON audit_log (account_id, at) WHERE account_id IS NOT NULL;

-- The last editor of each field of a track.
CREATE TABLE track_edits (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  field TEXT NOT NULL,
  person_id TEXT,
  key_id TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (track_id, field)
) STRICT, WITHOUT ROWID;
