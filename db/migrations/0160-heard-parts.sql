-- Whether a link keeps which parts of a track were heard. Links that are there already go on doing so.
ALTER TABLE shares ADD COLUMN note_parts INTEGER NOT NULL DEFAULT 1 CHECK (note_parts IN (0, 1));
