-- A search finds a track by the files of its versions too.
CREATE INDEX versions_by_name ON versions (lower(name));
