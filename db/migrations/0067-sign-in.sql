-- Other ways to sign in than a password: passkeys, and the house's own provider. A flow is one attempt of one browser.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY, -- the credential's id, base64url
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  public_key BLOB NOT NULL, -- COSE
  counter INTEGER NOT NULL, -- the authenticator's; 0: it does not count
  transports TEXT NOT NULL, -- JSON array
  name TEXT NOT NULL,
  backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER -- null: never
) STRICT;
CREATE INDEX passkeys_by_person ON passkeys (person_id, created_at);

CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  email TEXT, -- as the provider said it last; it decides nothing
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_by_person ON identities (person_id);

CREATE TABLE sign_in_flows (
  token_hash BLOB PRIMARY KEY, -- SHA-256 of the token
  kind TEXT NOT NULL CHECK (kind IN ('passkey', 'add_passkey', 'provider', 'prove')),
  challenge TEXT,
  nonce TEXT,
  verifier TEXT,
  person_id TEXT REFERENCES people (id) ON DELETE CASCADE, -- null: nobody is signed in
  invitation_id TEXT,
  next TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_flows_by_end ON sign_in_flows (expires_at);
CREATE INDEX sign_in_flows_by_person ON sign_in_flows (person_id) WHERE person_id IS NOT NULL;
