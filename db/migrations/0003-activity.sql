-- Replaced by the analytics part.
SELECT 1;
