-- Deleting a version looks for what was said of it.
CREATE INDEX reviews_by_version ON reviews (version_id);
