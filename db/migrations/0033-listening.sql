-- Tells at once how many tracks the ears have heard, and in which version.
CREATE INDEX track_vectors_by_provider ON track_vectors (provider, version);
