-- Player pages: what was said by a link, newest first.
CREATE INDEX comments_by_share ON comments (share_id, created_at, id) WHERE share_id IS NOT NULL;

-- Submission pages: what a visitor says of himself, and the way back from a batch to what it held.
ALTER TABLE brief_submissions ADD COLUMN submitter_name TEXT;
ALTER TABLE brief_submissions ADD COLUMN submitter_email TEXT;
CREATE INDEX brief_submissions_by_batch ON brief_submissions (batch_id);

-- Files that visitors are sending or have sent, kept for a day: what limits count, and what a page remembers.
CREATE TABLE submission_uploads (
  id TEXT PRIMARY KEY, -- 128 random bits: who knows it may go on with it
  brief_id TEXT NOT NULL REFERENCES briefs (id) ON DELETE CASCADE,
  client TEXT NOT NULL, -- address as limits count it
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, -- as announced
  received_bytes INTEGER NOT NULL DEFAULT 0, -- for limits; what counts is the file
  sha256 TEXT, -- null: not received whole, or not read again yet
  batch_id TEXT, -- null: not submitted
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX submission_uploads_by_brief ON submission_uploads (brief_id);
CREATE INDEX submission_uploads_by_client ON submission_uploads (client);
CREATE INDEX submission_uploads_by_batch ON submission_uploads (batch_id) WHERE batch_id IS NOT NULL;

-- Honest numbers: which of a link's visitors it was, and how much of a track was heard.
ALTER TABLE activity ADD COLUMN visit TEXT; -- random, and of one link alone
ALTER TABLE activity ADD COLUMN heard_sec INTEGER;
