-- What owners said of tags can be taken back; the order of saying is `seq`.
CREATE TABLE tag_feedback_next (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  name TEXT NOT NULL, -- free text has no other place for it once the tag is gone
  verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'added', 'rejected', 'withdrawn')),
  source TEXT NOT NULL CHECK (source IN ('patch', 'apply')),
  at INTEGER NOT NULL
) STRICT;
INSERT INTO tag_feedback_next (id, owner_id, track_id, category, tag_id, name, verdict, source, at)
SELECT id, owner_id, track_id, category, tag_id,
       coalesce((SELECT name FROM track_tags g WHERE g.track_id = f.track_id AND g.category = f.category AND g.tag_id = f.tag_id),
                (SELECT name FROM tag_suggestions s WHERE s.track_id = f.track_id AND s.category = f.category AND s.tag_id = f.tag_id),
                tag_id),
       verdict, source, at
FROM tag_feedback f ORDER BY at, id;
DROP TABLE tag_feedback;
ALTER TABLE tag_feedback_next RENAME TO tag_feedback;
CREATE INDEX tag_feedback_by_tag ON tag_feedback (owner_id, category, tag_id, seq);
CREATE INDEX tag_feedback_by_track ON tag_feedback (track_id, category, tag_id, seq);
CREATE INDEX tag_feedback_by_owner ON tag_feedback (owner_id, seq);

-- What a category of a track was before each of its owner's last decisions, so that one can be undone.
CREATE TABLE tag_decisions (
  seq INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  tags_before TEXT NOT NULL, -- JSON [tag id], sorted
  verdicts_before TEXT NOT NULL, -- JSON [{tagId, name, verdict, source}] of every tag whose verdict the decision changed
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX tag_decisions_by_track ON tag_decisions (track_id, category, seq);

-- What an account's verdicts taught about each tag. No row is ever read for another account.
CREATE TABLE tag_models (
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  name TEXT NOT NULL,
  trained_revision INTEGER, -- of `tag_revisions`; null: never trained
  basis TEXT, -- versions of rules, descriptors and training that `parameters` belong to
  positives INTEGER NOT NULL DEFAULT 0,
  negatives INTEGER NOT NULL DEFAULT 0,
  parameters BLOB, -- float64, little-endian; null: nothing could be learnt
  PRIMARY KEY (owner_id, category, tag_id)
) STRICT;

-- What is said of one tag says something of the others of its category too: their models age together.
CREATE TABLE tag_revisions (
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  revision INTEGER NOT NULL, -- raised by everything that changes what the models are trained on
  PRIMARY KEY (owner_id, category)
) STRICT, WITHOUT ROWID;

-- A track that goes takes what it taught with it, at the next learning.
CREATE TRIGGER tag_feedback_gone AFTER DELETE ON tag_feedback BEGIN
  UPDATE tag_revisions SET revision = revision + 1
  WHERE owner_id = OLD.owner_id AND category = OLD.category;
END;

-- Whole libraries are walked by id.
CREATE INDEX tracks_by_owner_id ON tracks (owner_id, id);

-- How far an account's learning is.
CREATE TABLE tag_learners (
  owner_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  model_version TEXT NOT NULL,
  refreshed_version TEXT, -- the model that the whole library was last looked at with; null: none yet
  learnt_seq INTEGER NOT NULL -- of `tag_feedback`
) STRICT, WITHOUT ROWID;
