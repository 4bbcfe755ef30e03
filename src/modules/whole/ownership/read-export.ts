import { Database } from "bun:sqlite";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openDb } from "../../../../db/client.ts";
import { SCHEMA_VERSION } from "../../../../db/migrations.ts";
import { temporaryDir } from "../../../blobs/paths.ts";
import { discardStaged, stageFile } from "../../../blobs/store.ts";
import { childCommandLine } from "../../../kernel/child-commands.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { bytesBelow } from "../../../kernel/files-below.ts";
import { spawnChild } from "../../../media/child/child-process.ts";
import { DEFAULT_MEDIA_LIMITS } from "../../../media/limits.ts";
import { CREATE_FILES, ROWS_FILE } from "./moved-rows.ts";
import { type RowsRefusal, readRowsRefusal } from "./rows-child.ts";

type ReadDeps = Pick<Deps, "settings" | "selfCommand">;

/** Indices and what older schemas lack are added to the rows. */
const GROWTH = 8;
const EMPTY_BYTES = 64 * 1024 * 1024;

/** Returns the folder of an export without links in its path. @throws DomainError `validation_failed` for none. */
export function exportFolder(folder: string): string {
  if (!existsSync(folder)) throw refusal(`There is no folder ${folder}`);
  return realpathSync(folder);
}

/**
 * Reads the `account.db` of an export in a child process, and returns the path of a database of our own schema with its
 * rows, which the caller deletes. The export stays as it is.
 *
 * @throws DomainError `validation_failed` for a file that no Dubplate wrote, that a newer one wrote, or that is damaged.
 */
export async function readRows(deps: ReadDeps, folder: string): Promise<string> {
  const given = await stageFile(deps, rowsOf(folder), { maxBytes: Number.MAX_SAFE_INTEGER });
  const path = join(temporaryDir(deps.settings), `${process.pid}-${crypto.randomUUID()}.part`);
  try {
    await writeOwn(deps, given, path);
    refuseOtherSchema(path);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await discardStaged(given);
  }
}

async function* rowsOf(folder: string): AsyncGenerator<Uint8Array> {
  try {
    yield* bytesBelow(folder, ROWS_FILE);
  } catch {
    if (existsSync(join(folder, ROWS_FILE)))
      throw refusal(`${ROWS_FILE} in ${folder} is no plain file that can be read: copy the export again`);
    throw refusal(
      existsSync(join(folder, "library.json"))
        ? `${folder} is an export for people: make one for another Dubplate with account export --move`
        : `${folder} is not a whole export of an account: ${ROWS_FILE} is missing`,
    );
  }
}

async function writeOwn(
  { selfCommand }: ReadDeps,
  given: { path: string; sizeBytes: number },
  path: string,
): Promise<void> {
  const child = await spawnChild({
    command: childCommandLine(selfCommand, "moved-rows", given.path, path),
    limits: DEFAULT_MEDIA_LIMITS,
    signal: new AbortController().signal,
    memory: "resident",
    fileBytes: GROWTH * given.sizeBytes + EMPTY_BYTES,
  });
  try {
    const { exitCode, stopped, stderr } = await child.ended;
    if (stopped) throw refusal(sentenceOf({ why: "damaged", found: stopped.message }));
    if (exitCode !== 0) throw refusal(sentenceOf(readRowsRefusal(stderr)));
  } finally {
    await child.dispose();
  }
}

function sentenceOf({ why, found }: RowsRefusal): string {
  const seen = found.replace(/[\p{Cc}\p{Cf}]+/gu, " ");
  switch (why) {
    case "newer":
      return `This export was written by a newer Dubplate (schema ${seen}, this one knows ${SCHEMA_VERSION}): install that version`;
    case "no_export":
      return `${ROWS_FILE} was not written by account export --move`;
    case "foreign":
      return `${ROWS_FILE} was changed since it was exported: it has what no export has (${seen})`;
    case "damaged":
      return `${ROWS_FILE} is damaged (${seen}): copy the export again`;
  }
}

/** What a child wrote that read bytes from outside is looked at like these: it must be a database as we make them. */
function refuseOtherSchema(path: string): void {
  const own = openDb(":memory:").$client;
  const made = new Database(path, { readonly: true });
  try {
    own.run(CREATE_FILES);
    if (!Bun.deepEquals(objectsOf(made), objectsOf(own)))
      throw refusal(sentenceOf({ why: "damaged", found: "it could not be read to its end" }));
  } finally {
    made.close();
    own.close();
  }
}

function objectsOf(client: Database): unknown[] {
  return client.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
}

const refusal = (sentence: string) => new DomainError("validation_failed", sentence);
