-- What the owner of a brief decides about what comes in, and what they note for themselves.
ALTER TABLE brief_submissions ADD COLUMN state TEXT NOT NULL DEFAULT 'new'
  CHECK (state IN ('new', 'shortlisted', 'passed', 'kept'));
ALTER TABLE brief_submissions ADD COLUMN decided_at INTEGER; -- null while new
ALTER TABLE brief_submissions ADD COLUMN note TEXT;
ALTER TABLE brief_submissions ADD COLUMN shown_by_keep INTEGER NOT NULL DEFAULT 0; -- 1: keeping it made its track visible
CREATE INDEX brief_submissions_by_state ON brief_submissions (brief_id, state, created_at, id);

-- People are asked by name; the address may be unknown, and is '' then.
ALTER TABLE brief_requests ADD COLUMN name TEXT;

-- The International Standard Name Identifier, beside the number of the societies.
ALTER TABLE composers ADD COLUMN isni TEXT;
