-- OAuth for the tool server (decision 0019). Secrets are kept as SHA-256 only.

CREATE TABLE oauth_clients ( -- programs that registered themselves; those with a metadata document have no row
  id TEXT PRIMARY KEY,
  name TEXT, -- their own word; null: none given
  redirect_uris TEXT NOT NULL, -- JSON array
  registered_from TEXT NOT NULL, -- address, IPv6 by its /64
  created_at INTEGER NOT NULL,
  last_used_at INTEGER -- null: nobody has ever let it in
) STRICT;
CREATE INDEX oauth_clients_by_age ON oauth_clients (created_at);
CREATE INDEX oauth_clients_by_address ON oauth_clients (registered_from, created_at);

CREATE TABLE oauth_requests ( -- questions that a consent page asks at the moment
  token_hash BLOB PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL, -- JSON array: what may be ticked
  state TEXT,
  code_challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_requests_by_session ON oauth_requests (session_id);

CREATE TABLE oauth_grants ( -- what an account lets a client do; deleting one ends its code and tokens
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  resource TEXT NOT NULL,
  scopes TEXT NOT NULL, -- JSON array; never widened
  created_at INTEGER NOT NULL,
  last_used_at INTEGER, -- to the minute
  expires_at INTEGER NOT NULL -- of its newest code or refresh token
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, created_at, id);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);

CREATE TABLE oauth_codes (
  code_hash BLOB PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  code_challenge TEXT NOT NULL, -- S256
  expires_at INTEGER NOT NULL,
  used_at INTEGER -- kept as long as its grant: a replay ends that
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_tokens (
  token_hash BLOB PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  scopes TEXT NOT NULL, -- JSON array, within the grant's
  expires_at INTEGER NOT NULL,
  used_at INTEGER -- of a refresh token that was exchanged: presenting it again ends the grant
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (expires_at);
