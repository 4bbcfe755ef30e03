import type { Db } from "../../../../db/client.ts";
import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { toIso } from "../../../kernel/time.ts";
import { recordAll } from "./append.ts";
import { endLogs, headOf, logFor } from "./logs.ts";
import * as queries from "./queries.ts";
import type { Consistency, LedgerHead, Proof } from "./shapes.ts";
import { stampedHash } from "./stamp.ts";
import { consistencyPath, inclusionPath, type KnownHashes, rootAt } from "./tree.ts";

type ProveDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/**
 * Proves that a version was in the library at the time of its record.
 *
 * @throws DomainError `track_not_found`, `version_not_found`; `not_found` when what its record says was erased.
 */
export function proveVersion(
  deps: ProveDeps,
  { ownerId, trackId, versionId }: { ownerId: LibraryId; trackId: string; versionId?: string | undefined },
): Proof {
  const version = versionOf(deps.db, { ownerId, trackId });
  if (!version) throw new DomainError("track_not_found", "The track does not exist");
  const id = versionId ?? version.active;
  if (!version.ids.includes(id)) throw new DomainError("version_not_found", "The version does not exist");
  const proof = prove(deps, ownerId, id, "version.added");
  if (!proof) throw new DomainError("not_found", "What the ledger says of this version was erased");
  return proof;
}

/** Proves something of a library by its id: a track by the version that plays, anything else by its earliest record. */
export function proveAny(deps: ProveDeps, ownerId: LibraryId, id: string): Proof | undefined {
  const active = versionOf(deps.db, { ownerId, trackId: id })?.active;
  return active === undefined ? prove(deps, ownerId, id) : prove(deps, ownerId, active, "version.added");
}

function versionOf(db: Db, { ownerId, trackId }: { ownerId: LibraryId; trackId: string }) {
  const rows = db.$client
    .query<{ id: string; active: string }, [string, LibraryId]>(
      `SELECT v.id, t.active_version_id AS active FROM tracks t JOIN versions v ON v.track_id = t.id
       WHERE t.id = ?1 AND t.owner_id = ?2 AND t.deleted_at IS NULL`,
    )
    .all(trackId, ownerId);
  return rows[0] && { active: rows[0].active, ids: rows.map(({ id }) => id) };
}

/**
 * Proves the earliest record about something of a library whose details have not been erased.
 *
 * @returns Undefined when there is none.
 */
export function prove(
  deps: ProveDeps,
  ownerId: LibraryId,
  subject: string,
  type?: string,
): Proof | undefined {
  return proverOf(deps, ownerId)(subject, type);
}

/**
 * Proves that versions were in the library, as {@link proveVersion} does, under one head of each log.
 *
 * @returns Proofs by the versions' ids. Those of which the ledger has no record are left out.
 */
export function proveVersions(
  deps: ProveDeps,
  ownerId: LibraryId,
  versionIds: Iterable<string>,
): Map<string, Proof> {
  const proofOf = proverOf(deps, ownerId);
  const proofs = new Map<string, Proof>();
  for (const id of versionIds) {
    const proof = proofOf(id, "version.added");
    if (proof) proofs.set(id, proof);
  }
  return proofs;
}

type Prover = (subject: string, type?: string) => Proof | undefined;

/** Records what waits and signs a head, then returns what proves the records of a library until then. */
function proverOf(deps: ProveDeps, ownerId: LibraryId): Prover {
  currentHead(deps, ownerId);
  const logs = new Map<number, ProveEntry>();
  const entryProver = (id: number) => {
    const known = logs.get(id) ?? proverIn(deps, id);
    logs.set(id, known);
    return known;
  };
  return (subject, type) => {
    for (const entry of queries.entriesAbout(deps.db).all(ownerId, subject)) {
      if (type !== undefined && JSON.parse(entry.body).type !== type) continue;
      const proof = entryProver(entry.log)(entry);
      if (proof) return proof;
    }
    return undefined;
  };
}

type ProveEntry = (entry: queries.EntryRow & queries.OpeningRow) => Proof | undefined;

/** Returns what proves the entries of one log. */
function proverIn(deps: ProveDeps, id: number): ProveEntry {
  const log = queries.logById(deps.db).get(id);
  const head = log && headOf(deps, log);
  if (!head) return () => undefined;
  const read = queries.nodesOf(deps.db, log.id);
  const known: KnownHashes = new Map();
  return ({ seq, body, salt, detail }) => {
    // The earliest time that somebody else states is worth more than the newest head.
    const shown = queries.firstStamped(deps.db).get(log.id, seq) ?? head;
    if (shown.size <= seq) return undefined;
    return {
      v: 1,
      entry: JSON.parse(body),
      opening: { salt: hex(salt), detail: JSON.parse(detail) },
      index: seq,
      path: inclusionPath(read, seq, shown.size, known).map(hex),
      ...signed(log, shown),
    };
  };
}

/** Returns the signed head of a library's ledger as it is now: it covers every deed that was acknowledged. */
export function currentHead(deps: ProveDeps, ownerId: LibraryId): LedgerHead {
  return transact(deps.db, (tx) => {
    const within = { ...deps, db: tx };
    logFor(within, ownerId);
    recordAll(within, ownerId);
    const log = logFor(within, ownerId);
    const head = headOf(within, log);
    if (head?.size === log.size) return signed(log, head);
    // Its key was sealed with a master secret that is lost: a new log begins.
    endLogs(tx, deps.now(), "key_lost", ownerId);
    return currentHead(within, ownerId);
  });
}

/**
 * Shows that the first `from` records of a library's ledger are the ones that a head of that size was signed for.
 *
 * @throws DomainError `validation_failed` for numbers of records that there are not.
 */
export function proveConsistency(
  deps: ProveDeps,
  ownerId: LibraryId,
  { from, to }: { from: number; to?: number | undefined },
): Consistency {
  const head = currentHead(deps, ownerId);
  const until = to ?? head.head.size;
  if (until > head.head.size) throw invalidField("to", "too_large", "is more than there are records");
  if (from > until) throw invalidField("from", "too_large", "is more than `to`, or than there are records");
  const log = logFor(deps, ownerId);
  const read = queries.nodesOf(deps.db, log.id);
  return {
    ...head,
    from: { size: from, root: hex(rootAt(read, from)) },
    to: { size: until, root: hex(rootAt(read, until)) },
    path: consistencyPath(read, from, until).map(hex),
  };
}

const signed = (log: queries.LogRow, { head, signature, stamp, stampedAt }: queries.HeadRow): LedgerHead => ({
  head: JSON.parse(head),
  signature: hex(signature),
  publicKey: hex(log.publicKey),
  ...(stamp && {
    stamp: {
      at: toIso(stampedAt ?? 0),
      hash: stampedHash(head).toString("hex"),
      token: Buffer.from(stamp).toString("base64"),
    },
  }),
});

/** The newest head that was signed of a library's ledger, for others to keep; undefined before the first. */
export type Witnessed = { size: number; root: string; at: number };

/** Returns the {@link Witnessed} head of a library. It signs nothing, so it covers what was there at most a day ago. */
export function witnessed(db: Db, ownerId: LibraryId): Witnessed | undefined {
  const log = queries.openLog(db).get(ownerId);
  const row = log && queries.lastHead(db).get(log.id);
  if (!row || row.size === 0) return undefined;
  const { root, at } = JSON.parse(row.head);
  return { size: row.size, root, at: Date.parse(at) };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
