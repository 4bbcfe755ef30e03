-- Links with which an account sets a new password: one per account, once, for an hour.
CREATE TABLE password_resets (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the token in the link
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
