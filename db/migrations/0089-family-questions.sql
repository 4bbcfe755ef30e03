-- What the signs of two tracks ask: which of the two would join the other, what the sound says it is, and since when.
ALTER TABLE family_signs ADD COLUMN asked_id TEXT CHECK (asked_id IN (track_id, other_id)); -- null: nothing is asked
ALTER TABLE family_signs ADD COLUMN sound_kind TEXT CHECK (sound_kind IN ('instrumental', 'less', 'part', 'same', 'stem'));
ALTER TABLE family_signs ADD COLUMN sound_edit_sec INTEGER CHECK (sound_edit_sec BETWEEN 5 AND 600);
ALTER TABLE family_signs ADD COLUMN found_at INTEGER NOT NULL DEFAULT 0;

-- What is there already is gone through once, when nothing else is to be done. It is only asked about.
INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
SELECT 'job_' || lower(hex(randomblob(16))), 'relate_old', '{"below":9007199254740991}', 'relate_old', 'waiting', 0, 5, 0
WHERE EXISTS (SELECT 1 FROM tracks);
