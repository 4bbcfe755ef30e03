-- What is read, saved and visited is each person's. So far each library had one person, with its id.
CREATE TABLE notification_reads (
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (person_id, notification_id)
) STRICT, WITHOUT ROWID;
INSERT INTO notification_reads (person_id, notification_id, read_at)
  SELECT account_id, id, read_at FROM notifications WHERE read_at IS NOT NULL;
CREATE INDEX notification_reads_by_notification ON notification_reads (notification_id);
CREATE TRIGGER notification_reads_live_insert AFTER INSERT ON notification_reads BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT account_id, 'notifications', id FROM notifications WHERE id = NEW.notification_id;
END;
ALTER TABLE notifications DROP COLUMN read_at;
ALTER TABLE notifications ADD COLUMN made_by TEXT; -- a person; null: nobody
ALTER TABLE notifications ADD COLUMN person_id TEXT; -- for whom; null: everybody who may see the thing

CREATE TABLE saves_of_people (
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  entity TEXT NOT NULL CHECK (entity IN ('track', 'playlist')),
  entity_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (person_id, entity, entity_id)
) STRICT, WITHOUT ROWID;
INSERT INTO saves_of_people (person_id, entity, entity_id, account_id, created_at)
  SELECT account_id, entity, entity_id, account_id, created_at FROM saves;
DROP TABLE saves;
ALTER TABLE saves_of_people RENAME TO saves;
CREATE INDEX saves_by_account ON saves (account_id);

CREATE TABLE visits_of_people (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  since INTEGER, -- the end of the visit before this one; null: there was none
  last_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;
INSERT INTO visits_of_people (account_id, person_id, since, last_at)
  SELECT account_id, account_id, since, last_at FROM account_visits;
DROP TABLE account_visits;
ALTER TABLE visits_of_people RENAME TO account_visits;
CREATE INDEX account_visits_by_person ON account_visits (person_id);
