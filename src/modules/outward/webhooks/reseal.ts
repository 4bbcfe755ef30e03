import { isNotNull } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { webhookReceivers } from "../../../../db/schema.ts";
import { type Secrets, seal, unseal } from "../../../kernel/secrets.ts";
import { listSealed, updateWebhook } from "../../people/keys/service.ts";
import { updateReceiver } from "./queries.ts";
import { SECRET_CONTEXT } from "./receivers.ts";

/**
 * Seals the signing secrets of all webhooks, and the former ones, for a new master secret. One that does not open stays
 * as it is. Returns how many.
 */
export function resealWebhooks(tx: Db, from: Secrets, to: Secrets): number {
  let sealed = 0;
  const reseal = (before: Uint8Array | null): Buffer | undefined => {
    const secret = before && open(from, before);
    if (!secret) return undefined;
    sealed++;
    return seal(to("webhook-secrets"), secret, SECRET_CONTEXT);
  };
  for (const { id, webhookSecret: before } of listSealed(tx)) {
    const webhookSecret = reseal(before);
    if (webhookSecret) updateWebhook(tx, id, { webhookSecret });
  }
  for (const { ref, secretBefore: before } of listFormer(tx)) {
    const secretBefore = reseal(before);
    if (secretBefore) updateReceiver(tx, ref, { secretBefore });
  }
  return sealed;
}

function listFormer(db: Db) {
  const { ref, secretBefore } = webhookReceivers;
  return db.select({ ref, secretBefore }).from(webhookReceivers).where(isNotNull(secretBefore)).all();
}

function open(secrets: Secrets, sealed: Uint8Array): string | undefined {
  try {
    return unseal(secrets("webhook-secrets"), sealed, SECRET_CONTEXT);
  } catch {
    return undefined;
  }
}
