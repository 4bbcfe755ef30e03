-- No picture could be drawn until now: analysed tracks without a cover get the one that their file carries.
INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
SELECT 'job_' || lower(hex(randomblob(16))), 'embedded-cover', json_object('trackId', id), id, 'waiting', 0, 5,
       unixepoch() * 1000
FROM tracks
WHERE cover IS NULL AND analysis_status IN ('completed', 'failed');
