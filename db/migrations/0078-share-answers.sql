-- The console hears of answers as of their links.
CREATE TRIGGER share_answers_live_shares_insert AFTER INSERT ON share_answers BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'shares', id FROM shares WHERE id = NEW.share_id;
END;
CREATE TRIGGER share_answers_live_shares_update AFTER UPDATE ON share_answers BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'shares', id FROM shares WHERE id = NEW.share_id;
END;
CREATE TRIGGER share_answers_live_shares_delete AFTER DELETE ON share_answers BEGIN
  INSERT INTO account_changes (account_id, topic, id) SELECT owner_id, 'shares', id FROM shares WHERE id = OLD.share_id;
END;
