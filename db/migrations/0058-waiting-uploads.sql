-- Files that have arrived and wait until somebody says whether they are a version of a track or a track of their own.
ALTER TABLE owner_uploads ADD COLUMN waiting_since INTEGER; -- null: nothing was asked about it
ALTER TABLE owner_uploads ADD COLUMN offered_track_id TEXT; -- what it looks like a version of; that track may be gone since
CREATE INDEX owner_uploads_waiting ON owner_uploads (account_id, waiting_since, id)
  WHERE waiting_since IS NOT NULL AND outcome IS NULL;
