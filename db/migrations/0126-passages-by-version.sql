-- A start counts the tracks whose passages were measured, without reading what was.
CREATE INDEX track_passages_by_version ON track_passages (version);
