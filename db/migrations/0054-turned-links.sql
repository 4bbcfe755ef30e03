-- A playlist made in the console has a link that opens nothing until its owner shares it; any link can be turned off for a while.
-- Null: live since it was made, as every link that there is.
ALTER TABLE shares ADD COLUMN turned TEXT CHECK (turned IN ('not-yet', 'on', 'off'));
