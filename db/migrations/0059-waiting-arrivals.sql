-- The arrival of a track counts as an addition to the library while the track is in it, not while it waits in the Inbox.
CREATE TRIGGER tracks_wait AFTER UPDATE OF in_inbox ON tracks WHEN NEW.in_inbox <> OLD.in_inbox BEGIN
  UPDATE activity SET left_out = iif(NEW.in_inbox, 'waiting', NULL)
  WHERE entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = NEW.id)
    AND series_ref = (SELECT ref FROM activity_series
      WHERE owner_id = NEW.owner_id AND entity = 'track' AND metric = 'uploaded')
    AND ((NEW.in_inbox = 1 AND left_out IS NULL) OR (NEW.in_inbox = 0 AND left_out = 'waiting'));
END;
CREATE TRIGGER activity_wait AFTER UPDATE OF left_out ON activity WHEN NEW.left_out = 'waiting' AND OLD.left_out IS NULL BEGIN
  UPDATE activity_days SET count = count - 1
  WHERE series_ref = NEW.series_ref AND day = CAST(strftime('%Y%m%d', NEW.at / 1000, 'unixepoch') AS INTEGER);
  DELETE FROM activity_days
  WHERE series_ref = NEW.series_ref AND day = CAST(strftime('%Y%m%d', NEW.at / 1000, 'unixepoch') AS INTEGER)
    AND count < 1;
END;
CREATE TRIGGER activity_wait_over AFTER UPDATE OF left_out ON activity
WHEN OLD.left_out = 'waiting' AND NEW.left_out IS NULL BEGIN
  INSERT INTO activity_days (series_ref, day, count)
  VALUES (NEW.series_ref, CAST(strftime('%Y%m%d', NEW.at / 1000, 'unixepoch') AS INTEGER), 1)
  ON CONFLICT (series_ref, day) DO UPDATE SET count = count + 1;
END;

-- What waits now was counted when it was sent.
UPDATE activity SET left_out = 'waiting' WHERE left_out IS NULL
  AND series_ref IN (SELECT ref FROM activity_series WHERE entity = 'track' AND metric = 'uploaded')
  AND entity_ref IN (SELECT e.ref FROM tracks t JOIN activity_entities e ON e.entity = 'track' AND e.entity_id = t.id
    WHERE t.in_inbox = 1);
