import { transact } from "../../../db/client.ts";
import { audit } from "../../kernel/audit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newToken } from "../../kernel/ids.ts";
import { seal, unseal } from "../../kernel/secrets.ts";
import { refuseUrl, resolveHost } from "../../net/address.ts";
import type { SetWebhook, WebhookSetting } from "./model.ts";
import * as queries from "./queries.ts";
import { getKey, getLiveKey } from "./service.ts";

type WebhookDeps = Pick<Deps, "db" | "now" | "secrets">;

/** What a sealed secret is bound to: it outlives the key that it was made for. */
const CONTEXT = "webhook";

/**
 * Sets where a key's events go. The signing secret is made at the first call and kept from then on.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `invalid_webhook_url` (decision 4.37).
 */
export async function setWebhook(
  deps: WebhookDeps & Pick<Deps, "settings">,
  accountId: string,
  id: string,
  { url, active }: SetWebhook,
): Promise<WebhookSetting> {
  getLiveKey(deps.db, accountId, id, deps.now()); // before asking the network anything
  const allow = deps.settings.networkAllow;
  const refusal = await refuseUrl(url, { httpsOnly: true, allow, resolve: resolveHost });
  if (refusal)
    throw new DomainError("invalid_webhook_url", `This webhook address cannot be used: ${refusal}`);
  return transact(deps.db, (tx) => {
    const key = getLiveKey(tx, accountId, id, deps.now());
    const webhookSecret = key.webhookSecret ?? newWebhookSecret(deps);
    queries.updateKey(tx, id, {
      webhookUrl: url,
      webhookActive: active,
      webhookSecret: Buffer.from(webhookSecret),
    });
    audit(tx, { actor: accountId, action: "key.webhook", subject: id, detail: { active } }, deps.now());
    return {
      ok: true,
      id,
      webhookUrl: url,
      webhookActive: active,
      webhookSecret: openWebhookSecret(deps, webhookSecret),
    };
  });
}

/**
 * Returns a key's webhook setting.
 *
 * @throws DomainError `key_not_found`.
 */
export function getWebhook(deps: WebhookDeps, accountId: string, id: string): WebhookSetting {
  const { webhookUrl, webhookActive, webhookSecret } = getKey(deps.db, accountId, id);
  const secret = webhookSecret && openWebhookSecret(deps, webhookSecret);
  return { ok: true, id, webhookUrl, webhookActive, webhookSecret: secret };
}

function newWebhookSecret({ secrets }: Pick<Deps, "secrets">): Buffer {
  const secret = `whsec_${Buffer.from(newToken(32), "base64url").toString("base64")}`;
  return seal(secrets("webhook-secrets"), secret, CONTEXT);
}

function openWebhookSecret({ secrets }: Pick<Deps, "secrets">, sealed: Uint8Array): string {
  return unseal(secrets("webhook-secrets"), sealed, CONTEXT);
}
