-- Changes that live clients hear of, of tables and columns that came after the others: files on their way to the library, by
-- their ids, and what was heard of a play.
CREATE TRIGGER owner_uploads_live_uploads_insert AFTER INSERT ON owner_uploads BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.account_id, 'uploads', NEW.id);
END;
CREATE TRIGGER owner_uploads_live_uploads_update AFTER UPDATE ON owner_uploads BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.account_id, 'uploads', NEW.id);
END;
CREATE TRIGGER owner_uploads_live_uploads_delete AFTER DELETE ON owner_uploads BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.account_id, 'uploads', OLD.id);
END;
DROP TRIGGER activity_live_activity_update;
CREATE TRIGGER activity_live_activity_update AFTER UPDATE OF left_out, heard_sec, heard ON activity BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'activity', entity_id FROM activity_entities WHERE ref = NEW.entity_ref;
END;

-- Nobody is left to tell.
CREATE TRIGGER accounts_live_gone AFTER DELETE ON accounts BEGIN
  DELETE FROM account_changes WHERE account_id = OLD.id;
END;
