-- To be written with its part.
SELECT 1;
