-- What the stems of a set add up to, when they were last taken from its main mix.
ALTER TABLE families ADD COLUMN stems_of TEXT; -- 64 hexadecimal digits: of which versions; null: not measured
ALTER TABLE families ADD COLUMN stems_residual_db REAL; -- what is left of the mix; null: they do not line up with it
ALTER TABLE families ADD COLUMN stems_lack_part TEXT
  CHECK (stems_lack_part IN ('drums', 'bass', 'guitars', 'keys', 'strings', 'brass', 'vocals', 'backing', 'effects', 'other'));
ALTER TABLE families ADD COLUMN stems_lack_db REAL; -- what is left in the band below, relative to the mix there; null: nothing is missing
ALTER TABLE families ADD COLUMN stems_lack_from_hz INTEGER; -- null: from the lowest
ALTER TABLE families ADD COLUMN stems_lack_to_hz INTEGER; -- null: to the highest

CREATE TRIGGER families_live_stems AFTER UPDATE OF stems_of ON families BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT NEW.owner_id, 'tracks', track_id FROM family_members WHERE family_id = NEW.id;
END;

INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
SELECT 'job_' || lower(hex(randomblob(16))), 'sum_stems', json_object('familyId', id), id, 'waiting', 0, 5, 0
FROM families WHERE EXISTS (SELECT 1 FROM family_members m WHERE m.family_id = families.id AND m.kind = 'stem');
