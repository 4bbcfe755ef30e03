-- An original may have several renditions: Opus in Ogg, and AAC in MP4 for browsers that play no Ogg.
CREATE TABLE encoded (
  sha256 TEXT NOT NULL, -- of the original
  encoding TEXT NOT NULL CHECK (encoding IN ('opus', 'aac')),
  size_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sha256, encoding)
) STRICT;
INSERT INTO encoded (sha256, encoding, size_bytes, created_at)
SELECT sha256, 'opus', size_bytes, created_at FROM renditions;
DROP TABLE renditions;
ALTER TABLE encoded RENAME TO renditions;
