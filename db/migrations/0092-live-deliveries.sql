-- Browsers hear of deliveries: their list is read again when links change.
CREATE TRIGGER delivery_packages_live_insert AFTER INSERT ON delivery_packages BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'shares', NEW.id);
END;
CREATE TRIGGER delivery_packages_live_update AFTER UPDATE ON delivery_packages BEGIN
  INSERT INTO account_changes (account_id, topic, id) VALUES (NEW.owner_id, 'shares', NEW.id);
END;
