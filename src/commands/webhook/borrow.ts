import type { Deps } from "../../kernel/deps.ts";
import { accountOfKey, getWebhook, setWebhook } from "../../modules/outward/webhooks/service.ts";
import type { SetWebhook, WebhookSetting } from "../../modules/outward/webhooks/shapes.ts";
import { RefusedError } from "../command.ts";

/** A key's webhook while it points to this machine. */
export type BorrowedWebhook = {
  secret: string;
  /** Restores the previous receiver, and returns a message about it for people. */
  giveBack: () => Promise<string>;
};

/** How to read and write a webhook's setting, on a server or in a library. */
type Access = {
  read: () => Promise<WebhookSetting>;
  write: (setting: SetWebhook) => Promise<WebhookSetting>;
};

/** The address of a server, the route of a key's webhook, and the credential. */
export type ServerDoor = { url: string; path: string; headers: Record<string, string> };

/**
 * Points a key's webhook of a running server at `address`.
 *
 * @throws RefusedError when the server cannot be reached or refuses.
 */
export function borrowFromServer(
  { url, path, headers }: ServerDoor,
  address: string,
): Promise<BorrowedWebhook> {
  const ask = async (body?: SetWebhook): Promise<WebhookSetting> => {
    const response = await fetch(url.replace(/\/+$/, "") + path, {
      method: body ? "POST" : "GET",
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new RefusedError(`${url} cannot be reached`, { cause: error });
    });
    const answer = (await response.json().catch(() => ({}))) as Answer;
    if (answer.data && response.ok) return answer.data;
    throw new RefusedError(explain(answer, response.status, address));
  };
  return borrow({ read: ask, write: ask }, address);
}

type Answer = { data?: WebhookSetting; messageCode?: string; message?: string };

function explain({ messageCode, message }: Answer, status: number, address: string): string {
  if (messageCode === "invalid_webhook_url")
    return `The server does not allow ${address}: start it with NETWORK_ALLOW=${new URL(address).host}`;
  return `The server refused (${status}${messageCode ? ` ${messageCode}` : ""}): ${message ?? "no reason given"}`;
}

/**
 * Points a key's webhook of this machine's library at `address`.
 *
 * @throws DomainError `key_not_found`, `key_not_active`.
 */
export async function borrowFromLibrary(
  { open }: { open: () => Deps },
  keyId: string,
  address: string,
): Promise<BorrowedWebhook> {
  const opened = open();
  // The server decides what is allowed. It may have other settings than this command.
  const networkAllow = [...opened.settings.networkAllow, new URL(address).host];
  const deps = { ...opened, settings: { ...opened.settings, networkAllow } };
  const accountId = accountOfKey(deps, keyId);
  return borrow(
    {
      read: async () => getWebhook(deps, accountId, keyId),
      write: (setting) => setWebhook(deps, { accountId }, keyId, setting),
    },
    address,
  );
}

async function borrow({ read, write }: Access, address: string): Promise<BorrowedWebhook> {
  const before = await read();
  const { webhookSecret } = await write({ url: address, active: true });
  if (webhookSecret === null) throw new RefusedError("The server did not give the signing secret");
  // A command that was interrupted may have left its own address behind.
  const former = before.webhookUrl === address ? null : before.webhookUrl;
  const restored = { url: former ?? address, active: former !== null && before.webhookActive };
  const giveBack = async () => {
    try {
      await write(restored);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      return `The webhook could not be restored and still points to ${address}: ${words}`;
    }
    if (former === null) return "The webhook is switched off: it had no address before.";
    return `The webhook leads to ${former} again, switched ${restored.active ? "on" : "off"}.`;
  };
  return { secret: webhookSecret, giveBack };
}
