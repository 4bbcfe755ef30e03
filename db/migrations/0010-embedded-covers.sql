-- No picture could be drawn until now: a job walks the analysed tracks without a cover, and gives each the picture that its
-- file carries.
INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
SELECT 'job_' || lower(hex(randomblob(16))), 'embedded-covers', '{}', '', 'waiting', 0, 5, unixepoch() * 1000
WHERE EXISTS (SELECT 1 FROM tracks WHERE cover IS NULL AND analysis_status IN ('completed', 'failed'));
