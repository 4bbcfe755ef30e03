import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import { canonical } from "./canonical.ts";
import { logFor } from "./logs.ts";
import * as queries from "./queries.ts";
import { appendLeaf, HASH_BYTES, hashOf, leafHash } from "./tree.ts";

type AppendDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** What a record tells. What names a person or a file stands in the details only, which can be erased. */
export type Deed = {
  type: "download.finished" | "entity.erased";
  /** Id of what it is about. */
  subject: string;
  /** Id of the track that it is about, with which its details go. */
  partOf?: string | null;
  detail: Readonly<Record<string, string | number | null>>;
};

const SALT_BYTES = 16;
/** How many deeds get their places in one transaction. */
const AT_ONCE = 500;

/**
 * Notes a deed in the transaction that does it; soon after it gets its place in the library's ledger. Tracks, versions, links,
 * submissions and packages are noted by triggers.
 */
export function noteDeed(tx: Db, ownerId: LibraryId, { type, subject, partOf, detail }: Deed): void {
  queries.insertPending(tx).run(ownerId, type, subject, partOf ?? null, JSON.stringify(detail));
}

/**
 * Gives deeds that wait their places, those of one library or of all.
 *
 * @returns How many there were, at most 500: call it again until there are none.
 */
export function recordSome(deps: AppendDeps, ownerId?: LibraryId): number {
  if (queries.pendingOf(deps.db).all(ownerId ?? null, 1).length === 0) return 0;
  return transact(deps.db, (tx) => {
    const rows = queries.pendingOf(tx).all(ownerId ?? null, AT_ONCE);
    for (const [owner, deeds] of Map.groupBy(rows, (row) => row.ownerId))
      appendAll({ ...deps, db: tx }, owner, deeds);
    queries.deletePending(tx).run(JSON.stringify(rows.map(({ id }) => id)));
    return rows.length;
  });
}

/** Gives all deeds of a library that wait their places. */
export function recordAll(deps: AppendDeps, ownerId: LibraryId): void {
  while (recordSome(deps, ownerId) > 0);
}

function appendAll(deps: AppendDeps, ownerId: string, deeds: readonly queries.PendingRow[]): void {
  const { db: tx } = deps;
  const [gone, told] = [deeds.filter(isGone), deeds.filter((deed) => !isGone(deed))];
  const dueAt = deps.now() + (deps.settings.undoDays + 1) * DAY_MS;
  for (const { subject } of gone) waitToErase(tx, ownerId, subject, dueAt);
  if (told.length === 0) return;
  const log = logFor(deps, ownerId);
  const at = toIso(deps.now());
  let size = log.size;
  let edge = hashesIn(log.edge);
  for (const { type, subject, partOf, detail } of told) {
    const salt = crypto.getRandomValues(Buffer.alloc(SALT_BYTES));
    const details = canonical(withoutNulls(JSON.parse(detail)));
    const commitment = hashOf(salt, details).toString("hex");
    const body = canonical({ v: 1, seq: size, at, type, subject, commitment });
    queries.insertEntry(tx).run(log.id, size, subject, body);
    queries.insertOpening(tx).run(log.id, size, subject, partOf, salt, details);
    const added = appendLeaf(size, edge, leafHash(body));
    queries.insertNodes(tx, log.id, added.nodes);
    edge = added.edge;
    size++;
  }
  queries.growLog(tx).run(log.id, size, Buffer.concat(edge));
}

const isGone = ({ type }: queries.PendingRow) => type === "gone";

function waitToErase(tx: Db, ownerId: string, subject: string, dueAt: number): void {
  tx.$client
    .query<void, [string, string, number]>(
      "INSERT INTO ledger_erasures (subject, owner_id, due_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )
    .run(subject, ownerId, dueAt);
}

/** Returns the hashes of an edge that are stored in one piece. */
export function hashesIn(edge: Uint8Array): Uint8Array[] {
  return Array.from({ length: edge.length / HASH_BYTES }, (_, place) =>
    edge.subarray(HASH_BYTES * place, HASH_BYTES * (place + 1)),
  );
}

const withoutNulls = (detail: Record<string, string | number | null>) =>
  Object.fromEntries(
    Object.entries(detail).filter((entry): entry is [string, string | number] => entry[1] !== null),
  );
