-- What is heard in audio files, to know a recording again: once for each account and decoded sound, however many
-- versions hold it. Nothing here is ever matched across accounts.
CREATE TABLE recordings (
  id INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  pcm_sha256 BLOB NOT NULL, -- of rate, channels and samples as decoded
  codes BLOB NOT NULL, -- uint32, little-endian, 8.35 a second
  columns BLOB NOT NULL, -- ten bytes each four codes
  levels BLOB NOT NULL, -- deflated; one byte each 5 ms
  balance TEXT NOT NULL, -- JSON [dB or null] by octave
  frames_per_pair INTEGER NOT NULL,
  peaks BLOB NOT NULL, -- deflated; int8 pairs (min, max)
  UNIQUE (owner_id, pcm_sha256)
) STRICT;

CREATE TABLE version_recordings (
  version_id TEXT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
  recording_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX version_recordings_by_recording ON version_recordings (recording_id);

-- A recording goes with the last version that holds it.
CREATE TRIGGER version_recordings_gone AFTER DELETE ON version_recordings
WHEN NOT EXISTS (SELECT 1 FROM version_recordings WHERE recording_id = OLD.recording_id) BEGIN
  DELETE FROM recordings WHERE id = OLD.recording_id;
END;
CREATE TRIGGER version_recordings_moved AFTER UPDATE OF recording_id ON version_recordings
WHEN NOT EXISTS (SELECT 1 FROM version_recordings WHERE recording_id = OLD.recording_id) BEGIN
  DELETE FROM recordings WHERE id = OLD.recording_id;
END;

-- Which recordings hold a code: a sample of 256 codes each. `key` begins with bits of the account's id.
CREATE TABLE recording_codes (
  key INTEGER NOT NULL,
  recording_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  PRIMARY KEY (key, recording_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recording_codes_by_recording ON recording_codes (recording_id);

-- Recordings of one account that are the same mix.
CREATE TABLE recording_pairs (
  earlier_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  later_id INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  similarity REAL NOT NULL, -- 0..1
  PRIMARY KEY (earlier_id, later_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recording_pairs_by_later ON recording_pairs (later_id);
