-- Which version of its track a comment is about, and what it was called then; the name stays when the version is deleted.
ALTER TABLE comments ADD COLUMN version_id TEXT REFERENCES versions (id) ON DELETE SET NULL;
ALTER TABLE comments ADD COLUMN heard_label TEXT;

-- When a version was active was never written down: probably it was the newest one of that time. Their names stay null.
UPDATE comments SET version_id = coalesce(
  (SELECT v.id FROM versions v WHERE v.track_id = comments.track_id AND v.created_at <= comments.created_at
   ORDER BY v.created_at DESC, v.version_order DESC LIMIT 1),
  (SELECT v.id FROM versions v WHERE v.track_id = comments.track_id ORDER BY v.version_order LIMIT 1));

-- Deleting a version looks for its comments.
CREATE INDEX comments_by_version ON comments (version_id);
CREATE TRIGGER comments_live_comments_update AFTER UPDATE ON comments BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = NEW.track_id;
END;
