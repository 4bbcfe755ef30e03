-- Whether the visitors of a link see tempo, key and credits.
ALTER TABLE shares ADD COLUMN show_details INTEGER NOT NULL DEFAULT 0 CHECK (show_details IN (0, 1));
