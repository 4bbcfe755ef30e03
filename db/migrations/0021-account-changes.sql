-- What changed in each account, for clients that show it live. Triggers alone write it, so that changes by REST, tools, the
-- command line and workers all appear. Each thing has one row for each topic: that of its last change.
CREATE TABLE account_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice
  account_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  id TEXT NOT NULL, -- of what changed
  at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  UNIQUE (id, topic, account_id)
) STRICT;

-- The last change that is not kept any more: whoever heard nothing since then has lost some. One row.
CREATE TABLE account_changes_floor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO account_changes_floor (id, seq) VALUES (1, 0);

CREATE TRIGGER account_changes_once BEFORE INSERT ON account_changes BEGIN
  DELETE FROM account_changes WHERE id = NEW.id AND topic = NEW.topic AND account_id = NEW.account_id;
END;
-- Changes are kept for an hour. A write takes away few of those that are older, so that none takes long.
CREATE TRIGGER account_changes_age AFTER INSERT ON account_changes
WHEN (SELECT at FROM account_changes ORDER BY seq LIMIT 1) < NEW.at - 3600000 BEGIN
  UPDATE account_changes_floor SET seq = (
    SELECT max(seq) FROM (SELECT seq, at FROM account_changes ORDER BY seq LIMIT 250) WHERE at < NEW.at - 3600000);
  DELETE FROM account_changes WHERE seq <= (SELECT seq FROM account_changes_floor);
END;

-- Tracks, by their ids.
CREATE TRIGGER tracks_live_tracks_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'tracks', NEW.id);
END;
CREATE TRIGGER tracks_live_tracks_update AFTER UPDATE
OF owner_id, name, title, artist, bpm, key, duration_sec, album, album_artist, composer, album_composer, year,
  album_year, isrc, track_genre, track_number, disc_number, total_tracks_album, total_discs_album, record_label,
  language, cover, notes, lyrics, active_version_id, deleted_at
ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'tracks', NEW.id);
END;
CREATE TRIGGER tracks_live_tracks_delete AFTER DELETE ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'tracks', OLD.id);
END;

-- Versions, analysis, tags and comments, by the ids of their tracks.
CREATE TRIGGER tracks_live_versions_update AFTER UPDATE OF active_version_id ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'versions', NEW.id);
END;
CREATE TRIGGER versions_live_versions_insert AFTER INSERT ON versions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'versions', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER versions_live_versions_update AFTER UPDATE ON versions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'versions', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER versions_live_versions_delete AFTER DELETE ON versions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'versions', id FROM tracks WHERE id = OLD.track_id;
END;
CREATE TRIGGER tracks_live_analysis_insert AFTER INSERT ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'analysis', NEW.id);
END;
CREATE TRIGGER tracks_live_analysis_update AFTER UPDATE OF analysis_status, analysis_version_id, suggestion_model ON tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'analysis', NEW.id);
END;
CREATE TRIGGER track_tags_live_tags_insert AFTER INSERT ON track_tags BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'tags', NEW.track_id);
END;
CREATE TRIGGER track_tags_live_tags_update AFTER UPDATE ON track_tags BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'tags', NEW.track_id);
END;
CREATE TRIGGER track_tags_live_tags_delete AFTER DELETE ON track_tags BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'tags', OLD.track_id);
END;
CREATE TRIGGER tag_suggestions_live_tags_insert AFTER INSERT ON tag_suggestions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'tags', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER tag_suggestions_live_tags_delete AFTER DELETE ON tag_suggestions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'tags', id FROM tracks WHERE id = OLD.track_id;
END;
CREATE TRIGGER tag_feedback_live_tags_insert AFTER INSERT ON tag_feedback BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'tags', NEW.track_id);
END;
CREATE TRIGGER comments_live_comments_insert AFTER INSERT ON comments BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER comments_live_comments_delete AFTER DELETE ON comments BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'comments', id FROM tracks WHERE id = OLD.track_id;
END;

-- Playlists, links, composers and notifications, by their ids.
CREATE TRIGGER playlists_live_playlists_insert AFTER INSERT ON playlists BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'playlists', NEW.id);
END;
CREATE TRIGGER playlists_live_playlists_update AFTER UPDATE ON playlists BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'playlists', NEW.id);
END;
CREATE TRIGGER playlists_live_playlists_delete AFTER DELETE ON playlists BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'playlists', OLD.id);
END;
CREATE TRIGGER playlist_tracks_live_playlists_insert AFTER INSERT ON playlist_tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'playlists', id FROM playlists WHERE id = NEW.playlist_id;
END;
CREATE TRIGGER playlist_tracks_live_playlists_update AFTER UPDATE ON playlist_tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'playlists', id FROM playlists WHERE id = NEW.playlist_id;
END;
CREATE TRIGGER playlist_tracks_live_playlists_delete AFTER DELETE ON playlist_tracks BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'playlists', id FROM playlists WHERE id = OLD.playlist_id;
END;
CREATE TRIGGER shares_live_shares_insert AFTER INSERT ON shares BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'shares', NEW.id);
END;
CREATE TRIGGER shares_live_shares_update AFTER UPDATE ON shares BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'shares', NEW.id);
END;
CREATE TRIGGER shares_live_shares_delete AFTER DELETE ON shares BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'shares', OLD.id);
END;
CREATE TRIGGER composers_live_composers_insert AFTER INSERT ON composers BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'composers', NEW.id);
END;
CREATE TRIGGER composers_live_composers_update AFTER UPDATE ON composers BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'composers', NEW.id);
END;
CREATE TRIGGER composers_live_composers_delete AFTER DELETE ON composers BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'composers', OLD.id);
END;
CREATE TRIGGER track_shareholders_live_composers_insert AFTER INSERT ON track_shareholders BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'composers', id FROM composers WHERE id = NEW.composer_id;
END;
CREATE TRIGGER track_shareholders_live_composers_update AFTER UPDATE ON track_shareholders BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'composers', id FROM composers WHERE id = NEW.composer_id;
END;
CREATE TRIGGER track_shareholders_live_composers_delete AFTER DELETE ON track_shareholders BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'composers', id FROM composers WHERE id = OLD.composer_id;
END;
CREATE TRIGGER notifications_live_notifications_insert AFTER INSERT ON notifications BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.account_id, 'notifications', NEW.id);
END;
CREATE TRIGGER notifications_live_notifications_update AFTER UPDATE ON notifications BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.account_id, 'notifications', NEW.id);
END;
CREATE TRIGGER notifications_live_notifications_delete AFTER DELETE ON notifications BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.account_id, 'notifications', OLD.id);
END;

-- What happened to tracks and playlists, by their ids.
CREATE TRIGGER activity_live_activity_insert AFTER INSERT ON activity BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'activity', entity_id FROM activity_entities WHERE ref = NEW.entity_ref;
END;
CREATE TRIGGER activity_live_activity_update AFTER UPDATE OF left_out, heard_sec ON activity BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'activity', entity_id FROM activity_entities WHERE ref = NEW.entity_ref;
END;

-- Briefs, and what was asked for and sent, by the ids of the briefs.
CREATE TRIGGER briefs_live_submissions_insert AFTER INSERT ON briefs BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'submissions', NEW.id);
END;
CREATE TRIGGER briefs_live_submissions_update AFTER UPDATE ON briefs BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (NEW.owner_id, 'submissions', NEW.id);
END;
CREATE TRIGGER briefs_live_submissions_delete AFTER DELETE ON briefs BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'submissions', OLD.id);
END;
CREATE TRIGGER brief_submissions_live_submissions_insert AFTER INSERT ON brief_submissions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'submissions', id FROM briefs WHERE id = NEW.brief_id;
END;
CREATE TRIGGER brief_submissions_live_submissions_update AFTER UPDATE ON brief_submissions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'submissions', id FROM briefs WHERE id = NEW.brief_id;
END;
CREATE TRIGGER brief_submissions_live_submissions_delete AFTER DELETE ON brief_submissions BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'submissions', id FROM briefs WHERE id = OLD.brief_id;
END;
CREATE TRIGGER brief_requests_live_submissions_insert AFTER INSERT ON brief_requests BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  SELECT owner_id, 'submissions', id FROM briefs WHERE id = NEW.brief_id;
END;

-- What moves to another account leaves the one where it was.
CREATE TRIGGER tracks_live_tracks_leave AFTER UPDATE OF owner_id ON tracks
WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'tracks', OLD.id);
END;
CREATE TRIGGER playlists_live_playlists_leave AFTER UPDATE OF owner_id ON playlists
WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'playlists', OLD.id);
END;
CREATE TRIGGER shares_live_shares_leave AFTER UPDATE OF owner_id ON shares
WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'shares', OLD.id);
END;
CREATE TRIGGER composers_live_composers_leave AFTER UPDATE OF owner_id ON composers
WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'composers', OLD.id);
END;
CREATE TRIGGER briefs_live_submissions_leave AFTER UPDATE OF owner_id ON briefs
WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO account_changes (account_id, topic, id)
  VALUES (OLD.owner_id, 'submissions', OLD.id);
END;
