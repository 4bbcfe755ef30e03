-- What a receiver's Retry-After holds back, so that the log can say when it goes out.
ALTER TABLE webhook_receivers ADD COLUMN paused_until INTEGER; -- null: it asked for no pause

-- Tests and redeliveries: somebody waits for them, so no other delivery's Retry-After holds them back.
ALTER TABLE webhook_deliveries ADD COLUMN asked_for INTEGER NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_asked_for ON webhook_deliveries (receiver, due_at)
  WHERE status = 'pending' AND asked_for = 1;
