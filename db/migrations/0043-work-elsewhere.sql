-- Jobs that a worker on another machine does.
ALTER TABLE jobs ADD COLUMN worker TEXT; -- id of its platform key; null: the server does the job itself
ALTER TABLE jobs ADD COLUMN subject TEXT; -- JSON: what the worker was given, for its result
