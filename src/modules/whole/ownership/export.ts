import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import { transact } from "../../../../db/client.ts";
import { SCHEMA_VERSION } from "../../../../db/migrations.ts";
import { auditLog } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";
import { PROGRAM } from "../../../kernel/program.ts";
import { toIso } from "../../../kernel/time.ts";
import { cancelMoved } from "../../mail/outbox/service.ts";
import type { AccountRow } from "../../people/accounts/service.ts";
import { listPeopleOf } from "../../people/team/service.ts";
import { copyFile, createExportFiles, type ExportFiles } from "./export-files.ts";
import { beginRows, mailsCancelled, PASSKEYS_MOVE, ROWS_FILE, type RowsFile } from "./moved-rows.ts";

type ExportDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/** Version of the form of `library.json`. */
const FORMAT = 1;
const LIBRARY_FILE = "library.json";
const BUFFER_CHARACTERS = 1024 * 1024;

/** What an export made. */
export type Exported = {
  tracks: number;
  files: number;
  bytes: number;
  /** Files that are missing or damaged, by their paths in the export. */
  problems: { path: string; problem: "missing" | "damaged" }[];
  /** What is to be known of the rows, as sentences. */
  notes: string[];
};

/** What an export is for, and who is told of its progress. */
type ExportOptions = {
  /** For another Dubplate: `account.db` has the rows as they are, with hashes of passwords, keys and sessions. */
  isMove?: boolean;
  /** Told after each file how many there are, and how many in all. */
  onFile?: (done: number, total: number) => void;
};

/** Loads the lists that a module writes. */
export type LoadLists = () => Promise<{ lists: ExportLists }>;

/**
 * Writes everything that an account has into a folder: originals and pictures under readable names, and all else as
 * `library.json`, which is there only once the export is whole. No secret is in it. The rows are of one moment, also
 * beside a running server. Audited. After a move, mails that have not gone are cancelled.
 *
 * @param loadLists Those of every module.
 * @throws DomainError `validation_failed` unless the folder is empty or absent.
 */
export async function exportAccount(
  deps: ExportDeps,
  account: AccountRow,
  folder: string,
  loadLists: readonly LoadLists[],
  { isMove = false, onFile = () => undefined }: ExportOptions = {},
): Promise<Exported> {
  prepare(folder);
  transact(deps.db, (tx) =>
    audit(tx, { actor: "operator", action: "account.export", subject: account.id }, deps.now()),
  );
  const loaded = await Promise.all(loadLists.map((load) => load()));
  const lists = Object.entries(
    Object.assign({}, ...loaded.map((each) => each.lists), { audit: auditOf }) as ExportLists,
  );
  const files = createExportFiles(deps.settings, { hasThumbnails: isMove });
  const partial = join(folder, `${LIBRARY_FILE}.partial`);
  const rows = isMove ? beginRows(deps, join(folder, ROWS_FILE)) : undefined;
  const tracks = writeLibrary(deps, account, files, { path: partial, rows, lists });
  const notes = (rows?.passkeys() ?? 0) > 0 ? [PASSKEYS_MOVE] : [];
  const exported: Exported = { tracks, files: 0, bytes: 0, problems: [], notes };
  for (const file of files.list) {
    const { bytes, problem } = await copyFile(folder, file);
    exported.files += problem === "missing" ? 0 : 1;
    exported.bytes += bytes;
    if (problem) exported.problems.push({ path: file.path, problem });
    onFile(exported.files, files.list.length);
  }
  const left = rows?.mailsLeft() ?? [];
  rows?.end(files.list, exported.problems);
  renameSync(partial, join(folder, LIBRARY_FILE));
  // Not sooner: an export that fails moves nothing.
  const cancelled = transact(deps.db, (tx) => cancelMoved(tx, left, deps.now()));
  if (cancelled > 0) exported.notes.push(mailsCancelled(cancelled));
  return exported;
}

function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new DomainError("validation_failed", `${folder} is not empty: name an empty folder or a new one`);
}

/** Writes the rows, one per line. Returns the number of tracks. */
function writeLibrary(
  { db, now, settings }: ExportDeps,
  account: AccountRow,
  files: ExportFiles,
  { path, rows, lists }: { path: string; rows: RowsFile | undefined; lists: readonly List[] },
): number {
  const file = openSync(path, "wx", 0o600);
  try {
    // One transaction that only reads the library: it sees one moment, and others may still write.
    return db.$client
      .transaction(() => {
        rows?.copy(account.id);
        const source = { db, settings, accountId: account.id, files };
        const head = {
          format: FORMAT,
          program: { name: PROGRAM.name, version: PROGRAM.version, schema: SCHEMA_VERSION },
          exportedAt: toIso(now()),
          account: plain(account, ["ownerId", "ownerName"]),
        };
        return writeLists(file, head, lists, source);
      })
      .deferred();
  } finally {
    fsyncSync(file);
    closeSync(file);
  }
}

type List = [name: string, rows: ExportLists[string]];

function writeLists(file: number, head: Plain, lists: readonly List[], source: ExportSource): number {
  let waiting = "";
  const write = (text: string) => {
    waiting += text;
    if (waiting.length < BUFFER_CHARACTERS) return;
    writeFileSync(file, waiting);
    waiting = "";
  };
  let tracks = 0;
  write("{\n");
  for (const [name, value] of Object.entries(head))
    write(`${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  lists.forEach(([name, rows], index) => {
    write(`${JSON.stringify(name)}: [`);
    let count = 0;
    for (const row of rows(source)) write(`${count++ === 0 ? "\n" : ",\n"}${JSON.stringify(row)}`);
    write(`\n]${index < lists.length - 1 ? "," : ""}\n`);
    if (name === "tracks") tracks = count;
  });
  write("}\n");
  writeFileSync(file, waiting);
  return tracks;
}

/**
 * The audited actions in the library, and the operator's on it. Those have no library in the log, but its id, which may also be
 * that of a person who is in another library now.
 */
function auditOf({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const founder = listPeopleOf(db, accountId).filter((id) => id === accountId);
  return db
    .select()
    .from(auditLog)
    .where(
      or(
        eq(auditLog.accountId, accountId),
        and(
          isNull(auditLog.accountId),
          or(inArray(auditLog.actor, founder), inArray(auditLog.subject, founder)),
        ),
      ),
    )
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .all()
    .map(({ personId, ...row }) => ({ ...plain(row, ["accountId"]), madeBy: makerOf(personId) }));
}
