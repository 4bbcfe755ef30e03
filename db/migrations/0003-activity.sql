-- The activity log, the counts kept beside it, and totals of libraries. All times and calendar periods are UTC.

-- What activity is about, by a small number: the log has millions of rows. Stays when the thing itself is deleted.
CREATE TABLE activity_entities (
  ref INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entity TEXT NOT NULL CHECK (entity IN ('track', 'playlist')),
  entity_id TEXT NOT NULL,
  UNIQUE (entity, entity_id)
) STRICT;
CREATE INDEX activity_entities_by_owner ON activity_entities (owner_id);

-- One kind of thing that happens to one kind of entity of one account, by a small number.
CREATE TABLE activity_series (
  ref INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entity TEXT NOT NULL CHECK (entity IN ('track', 'playlist')),
  metric TEXT NOT NULL CHECK (
    metric IN ('plays', 'views', 'downloads', 'saved', 'shares', 'comments', 'uploaded')
  ),
  UNIQUE (owner_id, entity, metric)
) STRICT;

-- What happened, append-only.
CREATE TABLE activity (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  series_ref INTEGER NOT NULL REFERENCES activity_series (ref) ON DELETE CASCADE,
  entity_ref INTEGER NOT NULL REFERENCES activity_entities (ref) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'visitor', 'system')),
  actor_name TEXT,
  share_id TEXT, -- the link it came by
  left_out TEXT -- why it is kept and not counted; null: it is counted
) STRICT;
-- `left_out` stands in them although it is null: without it the row itself would be read to see that.
CREATE INDEX activity_by_series ON activity (series_ref, at, entity_ref, left_out) WHERE left_out IS NULL;
CREATE INDEX activity_by_entity ON activity (entity_ref, series_ref, at, left_out) WHERE left_out IS NULL;
CREATE INDEX activity_by_share ON activity (share_id, at) WHERE share_id IS NOT NULL;

-- How often on each day, entities deleted since included.
CREATE TABLE activity_days (
  series_ref INTEGER NOT NULL REFERENCES activity_series (ref) ON DELETE CASCADE,
  day INTEGER NOT NULL, -- 20260115
  count INTEGER NOT NULL,
  PRIMARY KEY (series_ref, day)
) STRICT, WITHOUT ROWID;

-- How often for each entity that exists, in each calendar period that has any.
CREATE TABLE activity_counts (
  entity_ref INTEGER NOT NULL REFERENCES activity_entities (ref) ON DELETE CASCADE,
  series_ref INTEGER NOT NULL,
  period INTEGER NOT NULL, -- 0: all time; 2026: a year; 202601: a month; 20260115: a day
  count INTEGER NOT NULL,
  PRIMARY KEY (entity_ref, series_ref, period)
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_counts_ranked ON activity_counts (series_ref, period, count DESC, entity_ref);

CREATE TRIGGER tracks_end_counts AFTER DELETE ON tracks BEGIN
  DELETE FROM activity_counts WHERE entity_ref =
    (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = OLD.id);
END;
CREATE TRIGGER playlists_end_counts AFTER DELETE ON playlists BEGIN
  DELETE FROM activity_counts WHERE entity_ref =
    (SELECT ref FROM activity_entities WHERE entity = 'playlist' AND entity_id = OLD.id);
END;

-- What a library holds, kept by triggers: whoever writes a track or a tag keeps it true. INSERT OR REPLACE would not
-- (it deletes without triggers); nothing writes that way.
CREATE TABLE library_totals (
  owner_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  tracks INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL -- of the tracks whose duration is known
) STRICT, WITHOUT ROWID;

CREATE TABLE library_tags (
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  category TEXT NOT NULL CHECK (category IN ('genres', 'moods')),
  tag_id TEXT NOT NULL,
  name TEXT NOT NULL,
  tracks INTEGER NOT NULL, -- that carry it
  PRIMARY KEY (owner_id, category, tag_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tracks_begin_totals AFTER INSERT ON tracks BEGIN
  INSERT INTO library_totals (owner_id, tracks, duration_ms)
  VALUES (NEW.owner_id, 1, CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER))
  ON CONFLICT (owner_id) DO UPDATE SET tracks = tracks + 1, duration_ms = duration_ms + excluded.duration_ms;
END;
CREATE TRIGGER tracks_change_totals AFTER UPDATE OF duration_sec ON tracks
WHEN OLD.duration_sec IS NOT NEW.duration_sec BEGIN
  UPDATE library_totals SET duration_ms = duration_ms
    + CAST(round(ifnull(NEW.duration_sec, 0) * 1000) AS INTEGER)
    - CAST(round(ifnull(OLD.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = NEW.owner_id;
END;
CREATE TRIGGER tracks_end_totals AFTER DELETE ON tracks BEGIN
  UPDATE library_totals SET tracks = tracks - 1,
    duration_ms = duration_ms - CAST(round(ifnull(OLD.duration_sec, 0) * 1000) AS INTEGER)
  WHERE owner_id = OLD.owner_id;
END;

CREATE TRIGGER track_tags_begin_totals AFTER INSERT ON track_tags
WHEN NEW.category IN ('genres', 'moods') BEGIN
  INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
  VALUES (NEW.owner_id, NEW.category, NEW.tag_id, NEW.name, 1)
  ON CONFLICT (owner_id, category, tag_id) DO UPDATE SET tracks = tracks + 1;
END;
CREATE TRIGGER track_tags_end_totals AFTER DELETE ON track_tags
WHEN OLD.category IN ('genres', 'moods') BEGIN
  UPDATE library_tags SET tracks = tracks - 1
  WHERE owner_id = OLD.owner_id AND category = OLD.category AND tag_id = OLD.tag_id;
END;

CREATE INDEX playlists_by_update ON playlists (owner_id, updated_at);

-- Libraries that are there already.
INSERT INTO library_totals (owner_id, tracks, duration_ms)
SELECT owner_id, count(*), sum(CAST(round(ifnull(duration_sec, 0) * 1000) AS INTEGER)) FROM tracks GROUP BY owner_id;
INSERT INTO library_tags (owner_id, category, tag_id, name, tracks)
SELECT owner_id, category, tag_id, min(name), count(*) FROM track_tags
WHERE category IN ('genres', 'moods') GROUP BY owner_id, category, tag_id;

INSERT INTO activity_entities (owner_id, entity, entity_id)
SELECT owner_id, 'track', id FROM tracks ORDER BY created_at, id;
INSERT INTO activity_series (owner_id, entity, metric)
SELECT owner_id, 'track', 'uploaded' FROM tracks GROUP BY owner_id;
INSERT INTO activity (id, series_ref, entity_ref, at, actor_type, actor_name)
SELECT 'act_' || lower(hex(randomblob(16))), s.ref, e.ref, t.created_at, 'user', a.name
FROM tracks t
JOIN accounts a ON a.id = t.owner_id
JOIN activity_entities e ON e.entity = 'track' AND e.entity_id = t.id
JOIN activity_series s ON s.owner_id = t.owner_id AND s.entity = 'track' AND s.metric = 'uploaded'
ORDER BY t.created_at, t.id;
INSERT INTO activity_days (series_ref, day, count)
SELECT series_ref, CAST(strftime('%Y%m%d', at / 1000, 'unixepoch') AS INTEGER), count(*) FROM activity GROUP BY 1, 2;
