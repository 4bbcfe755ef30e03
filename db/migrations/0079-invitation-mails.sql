-- Which invitation a mail is about: one that is withdrawn, accepted or renewed cancels it.
ALTER TABLE mails ADD COLUMN invitation_id TEXT REFERENCES invitations (id) ON DELETE SET NULL;
CREATE INDEX mails_by_invitation ON mails (invitation_id) WHERE invitation_id IS NOT NULL;
