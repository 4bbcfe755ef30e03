import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type Scope, satisfies } from "../../../kernel/scopes.ts";
import { unseal } from "../../../kernel/secrets.ts";

/** The context that a signing secret is sealed with. It is not the key's id, because the secret outlives its key. */
export const SECRET_CONTEXT = "webhook";

/** What may be sent to whom. */
export type Right = {
  ref: number;
  accountId: LibraryId;
  /** Null: every assignable scope. */
  scopes: readonly string[] | null;
  /** Sequence number of the last event before the webhook was switched on. */
  sinceSeq: number;
};

/** A key that receives events. */
export type Receiver = Right & {
  url: string;
  /** End of the pause that it asked for; null: no pause. */
  pausedUntil: number | null;
  /** `whsec_` texts, newest first; empty when the library's master secret is lost. */
  secrets: readonly string[];
};

/** Decision 6.7: switched-on receivers with live keys of open accounts. `$at` is now. */
export const LIVE = `
  webhook_receivers r JOIN api_keys k ON k.id = r.key_id JOIN accounts a ON a.id = k.account_id
  WHERE k.webhook_active = 1 AND k.webhook_url IS NOT NULL AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $at) AND a.active = 1`;

type RightRow = Omit<Right, "scopes"> & { scopes: string | null };
type ReceiverRow = RightRow & {
  url: string;
  pausedUntil: number | null;
  secret: Uint8Array | null;
  secretBefore: Uint8Array | null;
  secretBeforeUntil: number | null;
};

const RIGHT = "r.ref, k.account_id AS accountId, k.scopes, r.since_seq AS sinceSeq";
const liveRights = prepared((db) =>
  db.$client.prepare<RightRow, { at: number }>(`SELECT ${RIGHT} FROM ${LIVE} ORDER BY r.ref`),
);
const receiversWhere = <More extends object>(condition: string) =>
  prepared((db) =>
    db.$client.prepare<ReceiverRow, { at: number } & More>(`
      SELECT ${RIGHT}, k.webhook_url AS url, r.paused_until AS pausedUntil, k.webhook_secret AS secret,
        r.secret_before AS secretBefore, r.secret_before_until AS secretBeforeUntil
      FROM ${LIVE} ${condition} ORDER BY r.ref`),
  );
const liveReceivers = receiversWhere("");
const liveReceiver = receiversWhere<{ ref: number }>("AND r.ref = $ref");

/** Returns the rights of every key that receives events now. */
export function listRights(db: Db, at: number): Right[] {
  return liveRights(db)
    .all({ at })
    .map((row) => ({ ...row, scopes: readScopes(row.scopes) }));
}

type ReceiverDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns every key that receives events now, with everything needed to send them. */
export function listReceivers(deps: ReceiverDeps): Receiver[] {
  const at = deps.now();
  // The rows and the secret that opens them must be of one moment, also while the master secret is rotated.
  const read = deps.db.$client.transaction(() => unsealAll(deps, liveReceivers(deps.db).all({ at }), at));
  return read.deferred();
}

/** Returns one of {@link listReceivers}, undefined when it receives nothing now. Call it in a transaction. */
export function findLiveReceiver(deps: ReceiverDeps, ref: number): Receiver | undefined {
  const at = deps.now();
  return unsealAll(deps, liveReceiver(deps.db).all({ at, ref }), at)[0];
}

function unsealAll({ secrets }: ReceiverDeps, rows: ReceiverRow[], at: number): Receiver[] {
  if (rows.length === 0) return [];
  const key = secrets("webhook-secrets");
  return rows.map(({ secret, secretBefore, secretBeforeUntil, scopes, ...row }) => {
    const before = secretBeforeUntil !== null && secretBeforeUntil > at ? secretBefore : null;
    const opened = [secret, before].flatMap((sealed) => open(key, sealed));
    return { ...row, scopes: readScopes(scopes), secrets: opened };
  });
}

function readScopes(json: string | null): string[] | null {
  return json === null ? null : JSON.parse(json);
}

function open(key: Buffer, sealed: Uint8Array | null): string[] {
  if (!sealed) return [];
  try {
    return [unseal(key, sealed, SECRET_CONTEXT)];
  } catch {
    return []; // sealed with a lost master secret
  }
}

/** What a key needs, one of these scopes, to receive the events whose names begin like this. */
const NEEDED: Readonly<Record<string, readonly Scope[]>> = {
  track: ["read:tracks"],
  composer: ["read:composers", "read:composer"],
  shareholder: ["read:composers", "read:composer"],
  publisher: ["read:composers", "read:composer"],
  comment: ["read:comments"],
  review: ["read:comments"],
  share: ["read:shares"],
};

/**
 * True when a key may read the subject of an event (decision 6.7). A test event always goes to its key; an event of a kind that is
 * not known goes to none.
 */
export function mayReceive({ scopes }: Pick<Right, "scopes">, type: string): boolean {
  if (type === "webhook.test") return true;
  const needed = NEEDED[type.slice(0, type.indexOf("."))] ?? [];
  return needed.some((scope) => satisfies(scopes, scope));
}
