-- How the sound of a version is counted and divided: metre, swing, bars, sections. Null: not looked for yet.
ALTER TABLE analyses ADD COLUMN structure TEXT CHECK (json_valid(structure)); -- JSON, `Structure` of src/audio/structure
CREATE INDEX analyses_without_structure ON analyses (version_id) WHERE structure IS NULL;
