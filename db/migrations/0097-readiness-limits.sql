-- Limits that a library asks of its tracks in place of those of the rules.
CREATE TABLE readiness_limits (
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  profile TEXT NOT NULL CHECK (profile IN ('store', 'sync', 'cd', 'custom')),
  rule TEXT NOT NULL, -- its code
  value REAL NOT NULL, -- in the unit of the rule
  PRIMARY KEY (owner_id, profile, rule)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER readiness_limits_live_insert AFTER INSERT ON readiness_limits BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'tracks', NEW.owner_id);
END;
CREATE TRIGGER readiness_limits_live_update AFTER UPDATE ON readiness_limits BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'tracks', NEW.owner_id);
END;
CREATE TRIGGER readiness_limits_live_delete AFTER DELETE ON readiness_limits
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.owner_id) BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (OLD.owner_id, 'tracks', OLD.owner_id);
END;
