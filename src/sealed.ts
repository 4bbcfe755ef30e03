import { resealAnswers } from "./http/idempotency.ts";
import { rehashSubmitters } from "./modules/briefs/briefs/service.ts";
import { resealWebhooks } from "./modules/outward/webhooks/service.ts";
import { resealKeys } from "./modules/people/keys/service.ts";
import type { Reseal } from "./store/rotation.ts";

/**
 * Seals everything in the database for a new master secret. What is signed needs nothing: the signatures of links, pages
 * and receipts are made again when they are asked for, and those that are out there no longer count.
 */
export const resealAll: Reseal = (tx, from, to) => ({
  keys: resealKeys(tx, from, to),
  webhooks: resealWebhooks(tx, from, to),
  answers: resealAnswers(tx, from, to),
  submitters: rehashSubmitters(tx, from, to),
});
