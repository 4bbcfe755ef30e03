-- Deleted tracks and playlists stay in the bin until `deleted_at` is 30 days old. Until then everything that belongs to
-- them stays as it is, and only the bin and its restore see them.
ALTER TABLE tracks ADD COLUMN deleted_at INTEGER; -- null: not in the bin
ALTER TABLE playlists ADD COLUMN deleted_at INTEGER; -- null: not in the bin
CREATE INDEX tracks_in_bin ON tracks (owner_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX playlists_in_bin ON playlists (owner_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
