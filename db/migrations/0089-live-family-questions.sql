-- Browsers hear of questions and answers.
CREATE TRIGGER family_signs_live_insert AFTER INSERT ON family_signs BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'tracks', id FROM tracks WHERE id IN (NEW.track_id, NEW.other_id);
END;
CREATE TRIGGER family_signs_live_update AFTER UPDATE OF state, asked_id ON family_signs
WHEN NEW.state <> OLD.state OR NEW.asked_id IS NOT OLD.asked_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'tracks', id FROM tracks WHERE id IN (NEW.track_id, NEW.other_id);
END;
