-- Which songs go out for a brief, and in which order, as arranged by hand: {"trackIds": […], "leftOut": […]}; null: as ranked.
ALTER TABLE briefs ADD COLUMN pack TEXT;
