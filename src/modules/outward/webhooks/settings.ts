import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ringOutbox } from "../../../kernel/events.ts";
import { newToken } from "../../../kernel/ids.ts";
import { seal, unseal } from "../../../kernel/secrets.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { refuseUrl, resolveHost } from "../../../net/address.ts";
import { getKey, getLiveKey, updateWebhook } from "../../people/keys/service.ts";
import * as queries from "./queries.ts";
import { SECRET_CONTEXT } from "./receivers.ts";
import { cancelPending } from "./settle.ts";
import { BOTH_SECRETS_HOURS, type SetWebhook, type WebhookSetting } from "./shapes.ts";

type WebhookDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Who changes a webhook: the account with its session, or the key itself. */
type Changer = { accountId: LibraryId; keyId?: string };

/**
 * Sets where a key's events go. The first call makes the signing secret, which is kept from then on. Switching off
 * cancels waiting deliveries; switching on begins with the next event.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `invalid_webhook_url` (decision 4.37).
 */
export async function setWebhook(
  deps: WebhookDeps & Pick<Deps, "settings">,
  { accountId, keyId }: Changer,
  id: string,
  { url, active }: SetWebhook,
): Promise<WebhookSetting> {
  getLiveKey(deps.db, accountId, id, deps.now()); // before any network request
  const allow = deps.settings.networkAllow;
  const refusal = await refuseUrl(url, { httpsOnly: true, allow, resolve: resolveHost });
  if (refusal)
    throw new DomainError("invalid_webhook_url", `This webhook address cannot be used: ${refusal}`);
  return transact(deps.db, (tx) => {
    const key = getLiveKey(tx, accountId, id, deps.now());
    const known = queries.findReceiver(tx, id);
    const { ref } = known ?? queries.insertReceiver(tx, id);
    const webhookSecret = Buffer.from(key.webhookSecret ?? newSecret(deps));
    updateWebhook(tx, id, { webhookUrl: url, webhookActive: active, webhookSecret });
    if (active && !key.webhookActive) queries.restartReceiver(tx, ref);
    if (url !== key.webhookUrl) queries.updateReceiver(tx, ref, { failingSince: null, pausedUntil: null });
    if (!active) cancelPending(tx, ref);
    const actor = keyId ?? accountId;
    audit(tx, { actor, action: "key.webhook", subject: id, detail: { active } }, deps.now());
    ringOutbox(tx);
    return toSetting(deps, { id, webhookUrl: url, webhookActive: active, webhookSecret });
  });
}

/**
 * Returns a key's webhook setting.
 *
 * @throws DomainError `key_not_found`.
 */
export function getWebhook(deps: WebhookDeps, accountId: LibraryId, id: string): WebhookSetting {
  // The row and the secret that opens it must be of one moment, also while the master secret is rotated.
  const read = deps.db.$client.transaction(() => toSetting(deps, getKey(deps.db, accountId, id)));
  return read.deferred();
}

/**
 * Gives a webhook a new secret. For {@link BOTH_SECRETS_HOURS} the old secret signs too.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `webhook_not_active` when no webhook was ever set.
 */
export function rotateWebhookSecret(
  deps: WebhookDeps,
  { accountId, keyId }: Changer,
  id: string,
): WebhookSetting {
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const key = getLiveKey(tx, accountId, id, at);
    const receiver = queries.findReceiver(tx, id);
    if (!receiver || !key.webhookSecret)
      throw new DomainError("webhook_not_active", "This key has no webhook: set one first");
    const webhookSecret = newSecret(deps);
    updateWebhook(tx, id, { webhookSecret });
    queries.updateReceiver(tx, receiver.ref, {
      secretBefore: key.webhookSecret,
      secretBeforeUntil: at + BOTH_SECRETS_HOURS * HOUR_MS,
    });
    audit(tx, { actor: keyId ?? accountId, action: "key.webhook_secret", subject: id }, at);
    ringOutbox(tx);
    return toSetting(deps, { ...key, webhookSecret });
  });
}

type Setting = Pick<ReturnType<typeof getKey>, "id" | "webhookUrl" | "webhookActive" | "webhookSecret">;

function toSetting(
  deps: WebhookDeps,
  { id, webhookUrl, webhookActive, webhookSecret }: Setting,
): WebhookSetting {
  const secret = webhookSecret && unseal(deps.secrets("webhook-secrets"), webhookSecret, SECRET_CONTEXT);
  return { ok: true, id, webhookUrl, webhookActive, webhookSecret: secret };
}

function newSecret({ secrets }: Pick<Deps, "secrets">): Buffer {
  const secret = `whsec_${Buffer.from(newToken(32), "base64url").toString("base64")}`;
  return seal(secrets("webhook-secrets"), secret, SECRET_CONTEXT);
}
