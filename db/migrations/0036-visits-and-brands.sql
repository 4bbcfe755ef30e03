-- When the account was last at its console: what happened since then is news.
CREATE TABLE account_visits (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  since INTEGER, -- the end of the visit before this one; null: there was none
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What an account's pages show in the place of our name and mark.
CREATE TABLE brands (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT,
  accent TEXT, -- #rrggbb
  website TEXT,
  logo_key TEXT -- a picture, stored as covers are
) STRICT, WITHOUT ROWID;
CREATE INDEX brands_by_logo ON brands (logo_key) WHERE logo_key IS NOT NULL;
