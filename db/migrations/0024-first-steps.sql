-- When the owner put the list of first steps away; null: it shows until all of them are done.
ALTER TABLE accounts ADD COLUMN first_steps_dismissed_at INTEGER;
