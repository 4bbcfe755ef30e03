import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { seal, unseal } from "../../../kernel/secrets.ts";

const KEY_BYTES = 32;
const CONTEXT = "stop key";

/**
 * Returns the 32 bytes that the links which stop mail are sealed with. They are made once, and outlive the master secret: whoever
 * got a mail stops it by the link that lies in it.
 */
export function stopKeyOf({ db, secrets }: Pick<Deps, "db" | "secrets">): Buffer {
  const select = db.$client.query<{ key: Uint8Array }, []>("SELECT key FROM mail_stop_key");
  let row = select.get();
  if (!row) {
    const made = crypto.getRandomValues(Buffer.alloc(KEY_BYTES)).toString("base64");
    db.$client
      .query<void, [Buffer]>("INSERT INTO mail_stop_key (one, key) VALUES (1, ?) ON CONFLICT DO NOTHING")
      .run(seal(secrets("mails"), made, CONTEXT));
    row = select.get();
  }
  return Buffer.from(unseal(secrets("mails"), row?.key ?? new Uint8Array(), CONTEXT), "base64");
}

/** Seals the key for a new master secret, if there is one. */
export function resealStopKey(tx: Db, from: Deps["secrets"], to: Deps["secrets"]): void {
  const row = tx.$client.query<{ key: Uint8Array }, []>("SELECT key FROM mail_stop_key").get();
  if (!row) return;
  const key = unseal(from("mails"), row.key, CONTEXT);
  tx.$client.query<void, [Buffer]>("UPDATE mail_stop_key SET key = ?").run(seal(to("mails"), key, CONTEXT));
}
