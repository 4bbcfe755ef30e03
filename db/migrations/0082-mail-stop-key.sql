-- What the links that stop mail are sealed with: it outlives the master secret, since those links lie in mails.
CREATE TABLE mail_stop_key (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  key BLOB NOT NULL -- 32 random bytes, sealed under the master secret
) STRICT;
