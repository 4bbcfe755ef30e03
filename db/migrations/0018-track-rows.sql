-- The rows of the console's table: one for each track, narrow, with an index for each order. Triggers alone write it.
ALTER TABLE tracks ADD COLUMN artist_fold TEXT; -- folded; null: no artist, or one written before this column was
CREATE INDEX tracks_unfolded ON tracks (id) WHERE artist IS NOT NULL AND artist_fold IS NULL;

CREATE TABLE track_rows (
  seq INTEGER PRIMARY KEY REFERENCES tracks (seq) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT, -- null while the track is in the bin, so that no index of the account has it
  created_at INTEGER NOT NULL,
  title TEXT NOT NULL, -- folded; the name where there is no title
  artist TEXT, -- folded
  words TEXT NOT NULL, -- folded name, title and artist, a line each
  bpm REAL,
  key TEXT COLLATE NOCASE,
  duration_sec REAL,
  status TEXT NOT NULL,
  visible INTEGER NOT NULL DEFAULT 1,
  versions INTEGER NOT NULL DEFAULT 0,
  tag TEXT, -- the first genre or mood, folded
  tags INTEGER NOT NULL DEFAULT 0,
  plays INTEGER NOT NULL DEFAULT 0, -- the last month with plays (202601) times 2^24, and the plays of that month
  updated_at INTEGER NOT NULL
) STRICT;

INSERT INTO track_rows (seq, id, owner_id, created_at, title, artist, words, bpm, key, duration_sec, status, visible,
  versions, tag, tags, plays, updated_at)
SELECT t.seq, t.id, iif(t.deleted_at IS NULL, t.owner_id, NULL), t.created_at, coalesce(t.title_fold, t.name_fold),
  lower(t.artist), concat_ws(char(10), t.name_fold, t.title_fold, lower(t.artist)), t.bpm, t.key, t.duration_sec,
  t.analysis_status, coalesce((SELECT v.visible FROM versions v WHERE v.id = t.active_version_id), 1),
  (SELECT count(*) FROM versions v WHERE v.track_id = t.id),
  (SELECT g.name_fold FROM track_tags g WHERE g.track_id = t.id AND g.category IN ('genres', 'moods')
   ORDER BY g.category, g.position LIMIT 1),
  (SELECT count(*) FROM track_tags g WHERE g.track_id = t.id),
  coalesce((SELECT max(c.period * 16777216 + min(c.count, 16777215))
    FROM activity_entities e
    JOIN activity_series s ON s.owner_id = t.owner_id AND s.entity = 'track' AND s.metric = 'plays'
    JOIN activity_counts c ON c.entity_ref = e.ref AND c.series_ref = s.ref AND c.period BETWEEN 10000 AND 999999
    WHERE e.entity = 'track' AND e.entity_id = t.id), 0),
  max(t.created_at, coalesce((SELECT max(v.created_at) FROM versions v WHERE v.track_id = t.id), 0))
FROM tracks t;

CREATE INDEX track_rows_by_created ON track_rows (owner_id, created_at);
CREATE INDEX track_rows_by_title ON track_rows (owner_id, title);
CREATE INDEX track_rows_by_artist ON track_rows (owner_id, artist);
CREATE INDEX track_rows_by_bpm ON track_rows (owner_id, bpm);
CREATE INDEX track_rows_by_key ON track_rows (owner_id, key);
CREATE INDEX track_rows_by_duration ON track_rows (owner_id, duration_sec);
CREATE INDEX track_rows_by_plays ON track_rows (owner_id, plays);
CREATE INDEX track_rows_by_updated ON track_rows (owner_id, updated_at);
CREATE INDEX track_rows_by_versions ON track_rows (owner_id, versions);
CREATE INDEX track_rows_by_tag ON track_rows (owner_id, tag);

CREATE TRIGGER tracks_rows_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO track_rows (seq, id, owner_id, created_at, title, artist, words, bpm, key, duration_sec, status, updated_at)
  VALUES (NEW.seq, NEW.id, NEW.owner_id, NEW.created_at, coalesce(NEW.title_fold, NEW.name_fold), NEW.artist_fold,
    concat_ws(char(10), NEW.name_fold, NEW.title_fold, NEW.artist_fold), NEW.bpm, NEW.key, NEW.duration_sec,
    NEW.analysis_status, NEW.created_at);
END;
CREATE TRIGGER tracks_rows_update AFTER UPDATE OF name_fold, title_fold, artist_fold, bpm, key, duration_sec, analysis_status,
  active_version_id, deleted_at, owner_id, created_at ON tracks
BEGIN
  UPDATE track_rows SET owner_id = iif(NEW.deleted_at IS NULL, NEW.owner_id, NULL), created_at = NEW.created_at,
    title = coalesce(NEW.title_fold, NEW.name_fold), artist = NEW.artist_fold,
    words = concat_ws(char(10), NEW.name_fold, NEW.title_fold, NEW.artist_fold), bpm = NEW.bpm, key = NEW.key,
    duration_sec = NEW.duration_sec, status = NEW.analysis_status,
    visible = coalesce((SELECT v.visible FROM versions v WHERE v.id = NEW.active_version_id), 1)
  WHERE seq = NEW.seq;
END;
-- Changed is what its owner sees changed: neither a count, nor a way through the bin.
CREATE TRIGGER tracks_rows_change AFTER UPDATE OF name, title, artist, bpm, key, duration_sec, album, album_artist, composer,
  album_composer, year, album_year, isrc, track_genre, track_number, disc_number, total_tracks_album, total_discs_album,
  record_label, language, cover, notes, lyrics, active_version_id, analysis_version_id ON tracks
BEGIN
  UPDATE track_rows SET updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE seq = NEW.seq;
END;

CREATE TRIGGER versions_rows_insert AFTER INSERT ON versions BEGIN
  UPDATE track_rows SET versions = versions + 1,
    visible = coalesce((SELECT v.visible FROM tracks t JOIN versions v ON v.id = t.active_version_id
      WHERE t.id = NEW.track_id), 1),
    updated_at = iif(NEW.version_order = 0, updated_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = NEW.track_id;
END;
CREATE TRIGGER versions_rows_update AFTER UPDATE OF label, name, visible ON versions BEGIN
  UPDATE track_rows SET
    visible = coalesce((SELECT v.visible FROM tracks t JOIN versions v ON v.id = t.active_version_id
      WHERE t.id = NEW.track_id), 1),
    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = NEW.track_id;
END;
CREATE TRIGGER versions_rows_delete AFTER DELETE ON versions BEGIN
  UPDATE track_rows SET versions = versions - 1, updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = OLD.track_id;
END;

CREATE TRIGGER track_tags_rows_insert AFTER INSERT ON track_tags BEGIN
  UPDATE track_rows SET tags = tags + 1, updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER),
    tag = (SELECT g.name_fold FROM track_tags g WHERE g.track_id = NEW.track_id AND g.category IN ('genres', 'moods')
      ORDER BY g.category, g.position LIMIT 1)
  WHERE id = NEW.track_id;
END;
CREATE TRIGGER track_tags_rows_delete AFTER DELETE ON track_tags BEGIN
  UPDATE track_rows SET tags = tags - 1, updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER),
    tag = (SELECT g.name_fold FROM track_tags g WHERE g.track_id = OLD.track_id AND g.category IN ('genres', 'moods')
      ORDER BY g.category, g.position LIMIT 1)
  WHERE id = OLD.track_id;
END;

CREATE TRIGGER activity_counts_rows_insert AFTER INSERT ON activity_counts
WHEN NEW.period BETWEEN 10000 AND 999999 BEGIN
  UPDATE track_rows SET plays = NEW.period * 16777216 + min(NEW.count, 16777215)
  WHERE plays < (NEW.period + 1) * 16777216 AND id = (
    SELECT e.entity_id FROM activity_entities e JOIN activity_series s ON s.ref = NEW.series_ref AND s.metric = 'plays'
    WHERE e.ref = NEW.entity_ref AND e.entity = 'track');
END;
CREATE TRIGGER activity_counts_rows_update AFTER UPDATE OF count ON activity_counts
WHEN NEW.period BETWEEN 10000 AND 999999 BEGIN
  UPDATE track_rows SET plays = NEW.period * 16777216 + min(NEW.count, 16777215)
  WHERE plays < (NEW.period + 1) * 16777216 AND id = (
    SELECT e.entity_id FROM activity_entities e JOIN activity_series s ON s.ref = NEW.series_ref AND s.metric = 'plays'
    WHERE e.ref = NEW.entity_ref AND e.entity = 'track');
END;
