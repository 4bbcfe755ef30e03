-- Webhooks: events in an order that stays, who receives them, what is to be sent and what came of each attempt.

-- A row's hidden number may change when the file is compacted, so events get one of their own: in the order of
-- commits, never used twice.
CREATE TABLE ordered_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL, -- JSON, thin: no e-mail address, no download link
  at INTEGER NOT NULL
) STRICT;
INSERT INTO ordered_events (id, owner_id, type, data, at)
  SELECT id, owner_id, type, data, at FROM events ORDER BY rowid;
DROP TABLE events;
ALTER TABLE ordered_events RENAME TO events;
CREATE INDEX events_by_time ON events (at);

-- A key that has, or had, a webhook. Its address, switch and secret stand in api_keys; this row moves along when the
-- key is rotated, so what waits for the old key goes out through the new one.
CREATE TABLE webhook_receivers (
  ref INTEGER PRIMARY KEY AUTOINCREMENT, -- part of delivery ids
  key_id TEXT NOT NULL UNIQUE REFERENCES api_keys (id) ON DELETE CASCADE,
  since_seq INTEGER NOT NULL, -- the last event before it was switched on
  secret_before BLOB, -- the secret that the last rotation replaced, sealed as the current one
  secret_before_until INTEGER, -- signs as well until then
  failing_since INTEGER -- the first of the failures since the last success; null: none
) STRICT;
INSERT INTO webhook_receivers (key_id, since_seq)
  SELECT id, (SELECT ifnull(max(seq), 0) FROM events) FROM api_keys
  WHERE webhook_url IS NOT NULL AND rotated_to IS NULL;

-- How far events have been given to receivers. One row.
CREATE TABLE webhook_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_cursor (id, seq) SELECT 1, ifnull(max(seq), 0) FROM events;

-- One row for each event and receiver: its own queue, and its own log.
CREATE TABLE webhook_deliveries (
  receiver INTEGER NOT NULL REFERENCES webhook_receivers (ref) ON DELETE CASCADE,
  event_seq INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  due_at INTEGER, -- of the next attempt; null unless pending
  tries INTEGER NOT NULL DEFAULT 0, -- of the schedule in hand; a redelivery begins it again
  attempts INTEGER NOT NULL DEFAULT 0, -- all of them
  PRIMARY KEY (receiver, event_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (receiver, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (receiver, event_seq) WHERE status = 'failed';

CREATE TABLE webhook_attempts (
  receiver INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  attempt INTEGER NOT NULL, -- from 1
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER, -- null: no answer came
  error TEXT, -- why it failed, in words; null: it did not
  signature TEXT NOT NULL, -- the header as it was sent; body and other headers follow from the event
  response TEXT NOT NULL, -- at most the first KB of the answer's body
  PRIMARY KEY (receiver, event_seq, attempt),
  FOREIGN KEY (receiver, event_seq) REFERENCES webhook_deliveries (receiver, event_seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
