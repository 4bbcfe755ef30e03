-- The time stamp of a head by somebody else: an RFC 3161 token over the text that was signed.
ALTER TABLE ledger_heads ADD COLUMN stamp BLOB; -- DER; null: none
ALTER TABLE ledger_heads ADD COLUMN stamped_at INTEGER; -- what the token says
CREATE INDEX ledger_heads_stamped ON ledger_heads (log, size) WHERE stamp IS NOT NULL;
