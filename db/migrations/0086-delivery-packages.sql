-- What was handed over to whom. Nothing is kept of the archive itself.
CREATE TABLE delivery_packages (
  id TEXT PRIMARY KEY, -- pkg_…
  owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  profile TEXT NOT NULL CHECK (profile IN ('store', 'sync', 'cd', 'custom')),
  name TEXT NOT NULL,
  recipient TEXT, -- null: not said, or erased
  settings TEXT NOT NULL, -- JSON: what was chosen, and the versions that went out
  manifest TEXT CHECK (length(manifest) <= 1000000), -- JSON; null: erased
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL, -- of SHA256SUMS
  share_id TEXT REFERENCES shares (id) ON DELETE SET NULL, -- null: no link
  made_by TEXT, -- a person
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_packages_by_owner ON delivery_packages (owner_id, made_at, id);
CREATE INDEX delivery_packages_by_share ON delivery_packages (share_id) WHERE share_id IS NOT NULL;
