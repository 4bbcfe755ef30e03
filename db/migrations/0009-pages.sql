-- Player pages: what was said by a link, newest first.
CREATE INDEX comments_by_share ON comments (share_id, created_at, id) WHERE share_id IS NOT NULL;
