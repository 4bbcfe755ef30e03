import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS, SECOND_MS } from "../../../kernel/time.ts";
import { postOnce } from "../../../net/post.ts";
import { readStampAnswer, readToken, stampRequest } from "./rfc3161.ts";
import { signedText } from "./signing.ts";
import { hashOf } from "./tree.ts";

type StampDeps = Pick<Deps, "db" | "now" | "log" | "settings">;

const NONCE_BYTES = 8;
const TIMEOUT_MS = 20 * SECOND_MS;
/** With the certificates of an authority, a token has 2 to 8 kB. */
const MAX_ANSWER_BYTES = 65_536;

/** A head that is to be stamped. `head` is canonical JSON. */
type Unstamped = { log: number; size: number; head: string };

/** Returns what a time stamp of a head is of: the SHA-256 of the text that was signed. */
export const stampedHash = (head: string): Buffer => hashOf(signedText(head));

/**
 * Has the newest head of each ledger stamped that had none stamped for a day, at TIMESTAMP_URL. One that cannot be had is logged, and
 * tried again with the next head.
 */
export async function stampHeads(deps: StampDeps, signal: AbortSignal): Promise<void> {
  if (deps.settings.timestampUrl === undefined) return;
  for (const head of dueHeads(deps.db).all(deps.now() - DAY_MS))
    try {
      await stampHead(deps, head, signal);
    } catch (error) {
      signal.throwIfAborted();
      deps.log("warn", "A head of a ledger could not be stamped", { url: deps.settings.timestampUrl, error });
    }
}

/**
 * Has the newest head of a library's ledger stamped, unless it is.
 *
 * @throws PostError without an answer; Error when it is no time stamp.
 */
export async function stampNewest(deps: StampDeps, ownerId: LibraryId, signal: AbortSignal): Promise<void> {
  const head = newestHead(deps.db).get(ownerId);
  if (head && deps.settings.timestampUrl !== undefined) await stampHead(deps, head, signal);
}

async function stampHead(
  deps: StampDeps,
  { log, size, head }: Unstamped,
  signal: AbortSignal,
): Promise<void> {
  const hash = stampedHash(head);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { status, body } = await postOnce(deps, deps.settings.timestampUrl ?? "", {
    headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    body: stampRequest(hash, nonce),
    timeoutMs: TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    mayBeHttp: true,
    signal,
  });
  if (status !== 200) throw new Error(`the authority answered ${status}`);
  const { token, at } = readStampAnswer(body, hash, nonce);
  putStamp(deps.db).run(log, size, token, at);
}

/** Returns the time that a head's token states. @throws Error when it is of something else. */
export const stampedAt = (head: string, token: Uint8Array): number => readToken(token, stampedHash(head));

const HEAD = `SELECT h.log, h.size, h.head FROM ledger_logs l JOIN ledger_heads h ON h.log = l.id
  AND h.size = (SELECT max(size) FROM ledger_heads n WHERE n.log = l.id)
  WHERE l.ended_at IS NULL AND h.stamp IS NULL AND h.size > 0`;

const dueHeads = prepared((db: Db) =>
  db.$client.prepare<Unstamped, [number]>(
    `${HEAD} AND NOT EXISTS (SELECT 1 FROM ledger_heads s WHERE s.log = l.id AND s.stamp IS NOT NULL AND s.at > ?1)`,
  ),
);
const newestHead = prepared((db: Db) =>
  db.$client.prepare<Unstamped, [string]>(`${HEAD} AND l.owner_id = ?1`),
);
const putStamp = prepared((db: Db) =>
  db.$client.prepare<void, [number, number, Uint8Array, number]>(
    "UPDATE ledger_heads SET stamp = ?3, stamped_at = ?4 WHERE log = ?1 AND size = ?2",
  ),
);
