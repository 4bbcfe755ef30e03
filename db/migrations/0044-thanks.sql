-- What the account says to senders in the place of our sentences, by decision: {"new": "…", …}; null: ours.
ALTER TABLE accounts ADD COLUMN thanks TEXT;
