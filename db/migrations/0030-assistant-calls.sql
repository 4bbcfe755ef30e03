-- Until when a change can be undone: a bulk change for ten minutes, what an assistant did for longer.
ALTER TABLE undos ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
UPDATE undos SET until = created_at + 600000;
DROP INDEX undos_by_time;
CREATE INDEX undos_by_end ON undos (until);

-- What assistants did through the tools, for 90 days.
CREATE TABLE assistant_calls (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_id TEXT NOT NULL, -- a key, or a grant of the sign-in flow
  client TEXT NOT NULL, -- as the client names itself; '' when it does not
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL, -- JSON, long values cut
  outcome TEXT NOT NULL, -- ok, or the code of the refusal
  is_rehearsal INTEGER NOT NULL CHECK (is_rehearsal IN (0, 1)),
  changes TEXT NOT NULL, -- JSON [{path, before, after}]
  undo_id TEXT, -- of undos; null: there is nothing to undo
  undone_at INTEGER,
  duration_ms INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX assistant_calls_by_account ON assistant_calls (account_id, at, id);
CREATE INDEX assistant_calls_by_time ON assistant_calls (at);
