-- What tracks are called besides their own fields: a line for each playlist, composer, comment and label of a version.
-- A changed line gets a new id, so that the words in the search's memory follow by the greatest id.
CREATE TABLE library_names (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- rowid of library_words
  owner_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('playlist', 'composer', 'comment', 'version')),
  entity_id TEXT NOT NULL,
  track_id TEXT, -- null: what belongs to several tracks
  text TEXT NOT NULL -- a composer's two names stand one below the other
) STRICT;
CREATE INDEX library_names_by_owner ON library_names (owner_id, id);
CREATE INDEX library_names_by_entity ON library_names (entity_id);
CREATE INDEX library_names_by_track ON library_names (track_id) WHERE track_id IS NOT NULL;

-- Comments stand apart: their words are prose, in which slips are slips.
CREATE VIRTUAL TABLE library_words USING fts5 (
  name, comment, owner,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER library_names_insert AFTER INSERT ON library_names BEGIN
  INSERT INTO library_words (rowid, name, comment, owner)
  VALUES (NEW.id, iif(NEW.kind = 'comment', '', NEW.text), iif(NEW.kind = 'comment', NEW.text, ''), hex(NEW.owner_id));
END;
CREATE TRIGGER library_names_delete AFTER DELETE ON library_names BEGIN
  DELETE FROM library_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER playlists_names_insert AFTER INSERT ON playlists BEGIN
  INSERT INTO library_names (owner_id, kind, entity_id, text) VALUES (NEW.owner_id, 'playlist', NEW.id, NEW.name);
END;
CREATE TRIGGER playlists_names_update AFTER UPDATE OF name, owner_id ON playlists
WHEN OLD.name <> NEW.name OR OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM library_names WHERE entity_id = NEW.id;
  INSERT INTO library_names (owner_id, kind, entity_id, text) VALUES (NEW.owner_id, 'playlist', NEW.id, NEW.name);
END;
CREATE TRIGGER playlists_names_delete AFTER DELETE ON playlists BEGIN
  DELETE FROM library_names WHERE entity_id = OLD.id;
END;

CREATE TRIGGER composers_names_insert AFTER INSERT ON composers WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO library_names (owner_id, kind, entity_id, text)
  VALUES (NEW.owner_id, 'composer', NEW.id, concat_ws(char(10), NEW.full_name, NEW.artist_name));
END;
CREATE TRIGGER composers_names_update AFTER UPDATE OF full_name, artist_name, owner_id, deleted_at ON composers BEGIN
  DELETE FROM library_names WHERE entity_id = NEW.id;
  INSERT INTO library_names (owner_id, kind, entity_id, text)
  SELECT NEW.owner_id, 'composer', NEW.id, concat_ws(char(10), NEW.full_name, NEW.artist_name)
  WHERE NEW.deleted_at IS NULL;
END;
CREATE TRIGGER composers_names_delete AFTER DELETE ON composers BEGIN
  DELETE FROM library_names WHERE entity_id = OLD.id;
END;

CREATE TRIGGER comments_names_insert AFTER INSERT ON comments BEGIN
  INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
  SELECT owner_id, 'comment', NEW.id, id, NEW.text FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER comments_names_delete AFTER DELETE ON comments BEGIN
  DELETE FROM library_names WHERE entity_id = OLD.id;
END;

-- "v2" is the label of a second version to which nobody gave one.
CREATE TRIGGER versions_names_insert AFTER INSERT ON versions
WHEN NEW.label <> '' AND NEW.label <> 'v' || (NEW.version_order + 1) BEGIN
  INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
  SELECT owner_id, 'version', NEW.id, id, NEW.label FROM tracks WHERE id = NEW.track_id;
END;
CREATE TRIGGER versions_names_update AFTER UPDATE OF label ON versions WHEN OLD.label IS NOT NEW.label BEGIN
  DELETE FROM library_names WHERE entity_id = NEW.id;
  INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
  SELECT owner_id, 'version', NEW.id, id, NEW.label FROM tracks
  WHERE id = NEW.track_id AND NEW.label <> '' AND NEW.label <> 'v' || (NEW.version_order + 1);
END;
CREATE TRIGGER versions_names_delete AFTER DELETE ON versions WHEN OLD.label IS NOT NULL BEGIN
  DELETE FROM library_names WHERE entity_id = OLD.id;
END;

CREATE TRIGGER tracks_names_owner AFTER UPDATE OF owner_id ON tracks WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
  SELECT NEW.owner_id, kind, entity_id, track_id, text FROM library_names
  WHERE track_id = NEW.id AND owner_id = OLD.owner_id;
  DELETE FROM library_names WHERE track_id = NEW.id AND owner_id = OLD.owner_id;
END;

INSERT INTO library_names (owner_id, kind, entity_id, text) SELECT owner_id, 'playlist', id, name FROM playlists;
INSERT INTO library_names (owner_id, kind, entity_id, text)
SELECT owner_id, 'composer', id, concat_ws(char(10), full_name, artist_name) FROM composers WHERE deleted_at IS NULL;
INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
SELECT t.owner_id, 'comment', c.id, t.id, c.text FROM comments c JOIN tracks t ON t.id = c.track_id;
INSERT INTO library_names (owner_id, kind, entity_id, track_id, text)
SELECT t.owner_id, 'version', v.id, t.id, v.label FROM versions v JOIN tracks t ON t.id = v.track_id
WHERE v.label <> '' AND v.label <> 'v' || (v.version_order + 1);
