import { type Db, prepared, transact } from "../../../../db/client.ts";
import type { markedCopies } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";

/** A copy that carries a code. What it was made of, and the link or the package by which it went, may be gone. */
export type MarkedCopy = typeof markedCopies.$inferSelect;
export type CopyKind = MarkedCopy["kind"];

const CODE_BYTES = 16;
const COPY = `c.id, c.account_id AS accountId, c.share_id AS shareId, c.package_id AS packageId, c.version_id AS versionId,
  c.track_id AS trackId, c.kind, c.code, c.recipient, c.created_at AS createdAt, c.delivered_at AS deliveredAt,
  c.failed_at AS failedAt`;

/** What a link gives of a version. */
export type LinkCopy = Pick<MarkedCopy, "accountId" | "versionId" | "trackId" | "kind" | "recipient"> & {
  shareId: string;
};

const ofLink = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string, string, string, string | null]>(
    `SELECT ${COPY} FROM marked_copies c WHERE c.account_id = ?1 AND c.share_id = ?2 AND c.version_id = ?3
       AND ifnull(c.recipient, '') = ifnull(?4, '')`,
  ),
);

/**
 * Returns the copy of a version that a link gives, and makes it at first. What the same recipient of a link hears and downloads has one
 * code; a link that is made over to someone else has another one from then on. Call it in a transaction.
 */
export function copyOfLink(tx: Db, copy: LinkCopy, at: number): MarkedCopy {
  const known = listOfLink(tx, copy);
  const found = known.find(({ kind }) => kind === copy.kind);
  if (found) return found;
  return insert(tx, { ...copy, packageId: null, code: known[0]?.code ?? newCode() }, at);
}

/** Returns the copy of a version that a link gives, if one was made. */
export function findCopyOfLink(db: Db, copy: LinkCopy): MarkedCopy | undefined {
  return listOfLink(db, copy).find(({ kind }) => kind === copy.kind);
}

const ofPackage = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string, string]>(
    `SELECT ${COPY} FROM marked_copies c WHERE c.package_id = ?2 AND c.account_id = ?1`,
  ),
);

const ofPackageVersion = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string, string, string]>(
    `SELECT ${COPY} FROM marked_copies c WHERE c.package_id = ?2 AND c.account_id = ?1 AND c.version_id = ?3`,
  ),
);

/** Returns the copies that go with a package. */
export const listCopiesOfPackage = (db: Db, accountId: string, packageId: string): MarkedCopy[] =>
  ofPackage(db).all(accountId, packageId).map(bufferOf);

/** What goes with a package of a version. */
export type PackageCopy = Pick<MarkedCopy, "accountId" | "versionId" | "trackId" | "recipient"> & {
  packageId: string;
};

/** Returns the copy of a version that goes with a package, and makes it at first, with a code of its own. Call it in a transaction. */
export function copyOfPackage(tx: Db, copy: PackageCopy, at: number): MarkedCopy {
  const found = ofPackageVersion(tx).get(copy.accountId, copy.packageId, copy.versionId);
  return found
    ? bufferOf(found)
    : insert(tx, { ...copy, shareId: null, kind: "package", code: newCode() }, at);
}

/** Forgets whose a package was. Its codes are still told apart. Returns how many there are. */
export function forgetRecipient(tx: Db, accountId: string, packageId: string): number {
  return tx.$client
    .query<void, [string, string]>(
      "UPDATE marked_copies SET recipient = NULL WHERE package_id = ?2 AND account_id = ?1",
    )
    .run(accountId, packageId).changes;
}

/** Deletes the copies of packages that were prepared until then, and of which nothing left. */
export function deleteUnsent(tx: Db, until: number): void {
  tx.$client
    .query<void, [number]>(
      "DELETE FROM marked_copies WHERE package_id IS NOT NULL AND delivered_at IS NULL AND created_at <= ?",
    )
    .run(until);
}

const listOfLink = (db: Db, { accountId, shareId, versionId, recipient }: LinkCopy): MarkedCopy[] =>
  ofLink(db).all(accountId, shareId, versionId, recipient).map(bufferOf);

function insert(
  tx: Db,
  copy: Omit<MarkedCopy, "id" | "createdAt" | "deliveredAt" | "failedAt" | "code"> & { code: Uint8Array },
  at: number,
) {
  const row: MarkedCopy = {
    ...copy,
    id: newId("mark"),
    code: Buffer.from(copy.code),
    createdAt: at,
    deliveredAt: null,
    failedAt: null,
  };
  tx.$client
    .query(
      `INSERT INTO marked_copies (id, account_id, share_id, package_id, version_id, track_id, kind, code, recipient, created_at)
       VALUES ($id, $accountId, $shareId, $packageId, $versionId, $trackId, $kind, $code, $recipient, $createdAt)`,
    )
    .run(row);
  return row;
}

const byId = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string]>(`SELECT ${COPY} FROM marked_copies c WHERE c.id = ?1`),
);

export function findCopy(db: Db, id: string): MarkedCopy | undefined {
  const row = byId(db).get(id);
  return row ? bufferOf(row) : undefined;
}

/** Notes that the files of a copy could not be made. */
export function noteFailed(tx: Db, id: string, at: number): void {
  tx.$client
    .query<void, [string, number]>("UPDATE marked_copies SET failed_at = ?2 WHERE id = ?1")
    .run(id, at);
}

/** Never a counter: the bound on false accusations rests on codes being random. */
const newCode = () => crypto.getRandomValues(Buffer.alloc(CODE_BYTES));

/** Notes that a copy begins to leave; the first time counts. */
export function noteDelivered(tx: Db, id: string, at: number): void {
  tx.$client
    .query<void, [string, number]>(
      "UPDATE marked_copies SET delivered_at = ?2 WHERE id = ?1 AND delivered_at IS NULL",
    )
    .run(id, at);
}

/** The same for a request, of which a player makes many: only the first one writes. */
export function noteLeaving({ db, now }: Pick<Deps, "db" | "now">, id: string): void {
  if (findCopy(db, id)?.deliveredAt === null) transact(db, (tx) => noteDelivered(tx, id, now()));
}

const ofAccount = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string, string | null]>(
    `SELECT ${COPY} FROM marked_copies c INDEXED BY marked_copies_by_version
     WHERE c.account_id = ?1 AND (?2 IS NULL OR c.version_id IN (SELECT value FROM json_each(?2)))
     ORDER BY c.version_id, c.created_at, c.id`,
  ),
);

/**
 * Returns the copies of an account's versions that carry a code, all of them or of some versions, also those that nobody has got
 * yet: a look-up must count every code that was issued. Copies of one recipient of a link share their code.
 */
export function listCopies(db: Db, accountId: string, versionIds?: readonly string[]): MarkedCopy[] {
  return ofAccount(db)
    .all(accountId, versionIds === undefined ? null : JSON.stringify(versionIds))
    .map(bufferOf);
}

const withFile = prepared((db) =>
  db.$client.prepare<MarkedCopy, [string, string]>(
    `SELECT ${COPY} FROM marked_files f JOIN marked_copies c ON c.id = f.copy_id
     WHERE f.sha256 = ?2 AND c.account_id = ?1 GROUP BY c.id ORDER BY c.created_at, c.id`,
  ),
);

/** Returns the copies of an account whose file has these bytes, by their SHA-256 (lower-case hex): no sound needs to be read then. */
export function listCopiesOfFile(db: Db, accountId: string, sha256: string): MarkedCopy[] {
  return withFile(db).all(accountId, sha256).map(bufferOf);
}

const bufferOf = (row: MarkedCopy): MarkedCopy => ({ ...row, code: Buffer.from(row.code) });

/** Gives the copies of an account to another one, with the keys that read them. */
export function transferMarks(tx: Db, from: string, to: string): void {
  tx.$client
    .query<void, [string, string]>("UPDATE marked_copies SET account_id = ?2 WHERE account_id = ?1")
    .run(from, to);
  tx.$client
    .query<void, [string, string]>("UPDATE mark_keys SET account_id = ?2 WHERE account_id = ?1")
    .run(from, to);
}
