import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import type { Stop } from "./stops.ts";

/** Those that the address itself asked for: a mark of the library is not its own to take back. */
const OWN = "email = ? AND source = 'link' AND (account_id IS NULL OR account_id = ?)";

/** Returns whose mail an address has asked for no more of, as far as that concerns a library; undefined: nobody's. */
export function askedToStop(db: Db, { email, accountId }: Stop): "server" | "library" | undefined {
  const row = db.$client
    .query<{ isServer: 0 | 1 }, [string, string]>(
      `SELECT account_id IS NULL AS isServer FROM mail_stops WHERE ${OWN} ORDER BY isServer DESC LIMIT 1`,
    )
    .get(normaliseEmail(email), accountId);
  return row ? (row.isServer ? "server" : "library") : undefined;
}

/** Takes back that an address wants no more mail of a library, or of the server. Audited, without the address. */
export function wantMailAgain({ db, now }: Pick<Deps, "db" | "now">, { email, accountId }: Stop): void {
  transact(db, (tx) => {
    const { changes } = tx.$client
      .query<void, [string, string]>(`DELETE FROM mail_stops WHERE ${OWN}`)
      .run(normaliseEmail(email), accountId);
    if (changes > 0) audit(tx, { actor: "mail", action: "mail.again", subject: accountId }, now());
  });
}
