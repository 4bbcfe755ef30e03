-- Who is invited, what codes sign in when everything else is lost, and rooms: playlists with a cast.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY, -- inv_…
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  email TEXT NOT NULL, -- trimmed, lower case
  role TEXT NOT NULL CHECK (role IN ('manager', 'producer', 'artist', 'listener')),
  playlist_id TEXT REFERENCES playlists (id) ON DELETE CASCADE, -- into this room only; null: into the library
  sees_splits INTEGER NOT NULL DEFAULT 0 CHECK (sees_splits IN (0, 1)),
  sees_listening INTEGER NOT NULL DEFAULT 0 CHECK (sees_listening IN (0, 1)),
  member_until INTEGER, -- the end of the membership; null: no end
  made_by TEXT, -- a person; null: the operator, or an import
  token_hash BLOB UNIQUE, -- SHA-256 of the token in the link; null: an open seat, which needs a new link
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_at INTEGER,
  accepted_by TEXT,
  withdrawn_at INTEGER
) STRICT;
CREATE INDEX invitations_by_account ON invitations (account_id, created_at);
CREATE INDEX invitations_by_playlist ON invitations (playlist_id) WHERE playlist_id IS NOT NULL;

CREATE TABLE room_members (
  playlist_id TEXT NOT NULL REFERENCES playlists (id) ON DELETE CASCADE,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('artist', 'listener')),
  sees_splits INTEGER NOT NULL DEFAULT 0 CHECK (sees_splits IN (0, 1)),
  sees_listening INTEGER NOT NULL DEFAULT 0 CHECK (sees_listening IN (0, 1)),
  added_by TEXT, -- a person; null: the operator
  added_at INTEGER NOT NULL,
  PRIMARY KEY (playlist_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX room_members_by_member ON room_members (member_id);

CREATE TABLE recovery_codes (
  code_hash BLOB PRIMARY KEY, -- SHA-256 of the code, which works once
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_by_person ON recovery_codes (person_id);

CREATE TRIGGER members_live_team_insert AFTER INSERT ON members BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.account_id, 'team', NEW.id);
END;
CREATE TRIGGER members_live_team_update AFTER UPDATE OF role, reach, sees_splits, sees_listening, ends_at ON members BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.account_id, 'team', NEW.id);
END;
CREATE TRIGGER members_live_team_delete AFTER DELETE ON members
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id) BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (OLD.account_id, 'team', OLD.id);
END;
CREATE TRIGGER invitations_live_team_insert AFTER INSERT ON invitations BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.account_id, 'team', NEW.id);
END;
CREATE TRIGGER invitations_live_team_update AFTER UPDATE ON invitations BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.account_id, 'team', NEW.id);
END;
CREATE TRIGGER room_members_live_team_insert AFTER INSERT ON room_members BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT account_id, 'team', id FROM members WHERE id = NEW.member_id;
END;
CREATE TRIGGER room_members_live_team_delete AFTER DELETE ON room_members BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT m.account_id, 'team', m.id FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.id = OLD.member_id;
END;
CREATE TRIGGER people_live_team_update AFTER UPDATE OF name, email, active ON people BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT account_id, 'team', id FROM members WHERE person_id = NEW.id;
END;
