-- Songs that came in with a folder, and the album that they became: a folder that comes again, or goes on arriving, finds it.
CREATE TABLE album_arrivals (
  seq INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  source TEXT NOT NULL, -- the machine and the folder, as of intakes; '' for the console
  folder TEXT NOT NULL, -- below the source, without the folder of a disc
  path TEXT NOT NULL,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  is_new INTEGER NOT NULL CHECK (is_new IN (0, 1)), -- 0: the library had the song
  playlist_id TEXT, -- the album; it may be gone. Null: none yet
  is_separate INTEGER NOT NULL DEFAULT 0 CHECK (is_separate IN (0, 1)), -- its owner wants no album of it
  is_compilation INTEGER NOT NULL DEFAULT 0 CHECK (is_compilation IN (0, 1)), -- as the file says
  catalogue_number TEXT, -- as the file says
  barcode TEXT, -- as the file says
  arrived_at INTEGER NOT NULL,
  UNIQUE (account_id, source, path, track_id)
) STRICT;
CREATE INDEX album_arrivals_by_folder ON album_arrivals (account_id, source, folder, seq);
CREATE INDEX album_arrivals_by_album ON album_arrivals (playlist_id) WHERE playlist_id IS NOT NULL;
CREATE INDEX album_arrivals_by_track ON album_arrivals (track_id);
