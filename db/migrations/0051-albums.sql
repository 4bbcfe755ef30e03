-- A playlist is an ordered list, or an album: its own picture, names and numbers then stand beside its name. A playlist keeps
-- what it said as an album, and does not show it.
ALTER TABLE playlists ADD COLUMN kind TEXT NOT NULL DEFAULT 'playlist' CHECK (kind IN ('playlist', 'album'));
ALTER TABLE playlists ADD COLUMN artist TEXT;
ALTER TABLE playlists ADD COLUMN album_type TEXT CHECK (album_type IN ('album', 'ep', 'single', 'compilation'));
ALTER TABLE playlists ADD COLUMN label TEXT;
ALTER TABLE playlists ADD COLUMN catalogue_number TEXT;
ALTER TABLE playlists ADD COLUMN release_date TEXT; -- YYYY, YYYY-MM or YYYY-MM-DD
ALTER TABLE playlists ADD COLUMN upc TEXT; -- 12 or 13 digits
CREATE INDEX playlists_by_kind ON playlists (owner_id, kind, created_at, id);
