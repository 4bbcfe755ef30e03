-- Links that show the whole set of a track, to say so before another one joins it.
CREATE INDEX shares_of_families ON shares (entity_id) WHERE whole_family = 1;
