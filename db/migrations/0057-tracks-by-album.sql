-- The library's filter by an album's name, which files have in any case.
CREATE INDEX tracks_by_album ON tracks (owner_id, lower(album)) WHERE album IS NOT NULL;
