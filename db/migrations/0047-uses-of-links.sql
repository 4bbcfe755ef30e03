-- Who used a link, and when, is read from the index alone: how links are doing needs every use of them.
DROP INDEX activity_by_share;
CREATE INDEX activity_by_share ON activity (share_id, at, left_out, series_ref, entity_ref) WHERE share_id IS NOT NULL;
