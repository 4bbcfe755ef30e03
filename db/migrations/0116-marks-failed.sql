-- Why a copy is not there: not every file can be marked.
ALTER TABLE marked_copies ADD COLUMN failed_at INTEGER;
