-- What was left out of the counts, by its reason: how much in a time, and the listens of a track that were too short for a play.
CREATE INDEX activity_left_out ON activity (series_ref, left_out, at, entity_ref) WHERE left_out IS NOT NULL;
