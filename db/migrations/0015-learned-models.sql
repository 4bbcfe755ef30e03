-- Learned models are gone. What they made of tracks is not read by anything, and nothing does their jobs.
DELETE FROM track_vectors WHERE provider <> 'descriptors';
DELETE FROM jobs WHERE name = 'embed';
