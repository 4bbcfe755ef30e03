-- What happens to a track by a playlist's link counts for the playlist too. The log has it once, with the playlist beside it.
-- No foreign key: both entities belong to one account and go with it.
ALTER TABLE activity ADD COLUMN playlist_ref INTEGER;

-- What was recorded so far: a link never changes what it opens.
INSERT OR IGNORE INTO activity_entities (owner_id, entity, entity_id)
SELECT DISTINCT h.owner_id, 'playlist', h.entity_id
FROM activity l
JOIN shares h ON h.id = l.share_id AND h.entity = 'playlist'
JOIN activity_entities e ON e.ref = l.entity_ref AND e.entity = 'track';

UPDATE activity SET playlist_ref = (
  SELECT p.ref FROM shares h
  JOIN activity_entities p ON p.entity = 'playlist' AND p.entity_id = h.entity_id
  WHERE h.id = activity.share_id
)
WHERE share_id IN (SELECT id FROM shares WHERE entity = 'playlist')
  AND entity_ref IN (SELECT ref FROM activity_entities WHERE entity = 'track');

CREATE INDEX activity_by_playlist ON activity (series_ref, at, playlist_ref, left_out)
WHERE playlist_ref IS NOT NULL AND left_out IS NULL;

INSERT OR IGNORE INTO activity_series (owner_id, entity, metric)
SELECT DISTINCT s.owner_id, 'playlist', s.metric
FROM activity l JOIN activity_series s ON s.ref = l.series_ref
WHERE l.playlist_ref IS NOT NULL AND l.left_out IS NULL;

-- All time, year, month and day: the day as a number, without its last 8, 4, 2 and 0 digits.
INSERT INTO activity_counts (entity_ref, series_ref, period, count)
SELECT l.playlist_ref, p.ref, CAST(strftime('%Y%m%d', l.at / 1000, 'unixepoch') AS INTEGER) / d.value, count(*)
FROM activity l
JOIN activity_series s ON s.ref = l.series_ref
JOIN activity_series p ON p.owner_id = s.owner_id AND p.entity = 'playlist' AND p.metric = s.metric
JOIN activity_entities e ON e.ref = l.playlist_ref
JOIN playlists y ON y.id = e.entity_id
CROSS JOIN json_each('[100000000, 10000, 100, 1]') d
WHERE l.playlist_ref IS NOT NULL AND l.left_out IS NULL
GROUP BY 1, 2, 3
ON CONFLICT (entity_ref, series_ref, period) DO UPDATE SET count = count + excluded.count;
