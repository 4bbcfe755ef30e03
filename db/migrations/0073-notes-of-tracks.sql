-- The notes of a track without the replies to them, for lists, rounds, and how many there are.
CREATE INDEX comments_notes ON comments (track_id, created_at, id) WHERE parent_id IS NULL;
