import type { Stats } from "node:fs";
import { readdir, stat as readStat } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../kernel/deps.ts";
import { getAccountByEmail } from "../modules/accounts/service.ts";
import { importFile, isAudioFile } from "../modules/tracks/service.ts";
import { type Command, parseOrExplain, RefusedError, UsageError } from "./command.ts";

const USAGE = "dubplate import PATH... --email E";
const PROGRESS_FILES = 25;
const NOT_AUDIO = "not an audio file in a supported format";

/**
 * `import`: imports the audio files in folders; links are followed. It is safe to run twice: files already in the
 * library are not added again. It lists what it leaves out, with the reason. Exit 1 when a path does not exist or a
 * file failed.
 */
export const importFiles: Command = async ({ open, args, print, say }) => {
  const { values, positionals } = parseOrExplain(args, USAGE, { email: { type: "string" } });
  if (typeof values.email !== "string" || positionals.length === 0) throw new UsageError(USAGE);
  const deps = open();
  const owner = getAccountByEmail(deps, values.email);

  const counts = { added: 0, known: 0, skipped: 0, failed: 0 };
  for await (const found of walk(positionals)) {
    const { outcome, row, reason } = await importOne(deps, owner.id, found);
    counts[outcome]++;
    if (row) print(row);
    else say(`Left out: ${found.path} (${reason})`);
    const done = counts.added + counts.known;
    if (row && done % PROGRESS_FILES === 0) say(`${done} files so far`);
  }
  const summary =
    `${counts.added} added, ${counts.known} already there, ${counts.skipped} left out, ${counts.failed} failed. ` +
    "A running server analyses them now; otherwise the next start does.";
  if (counts.failed > 0) throw new RefusedError(summary);
  say(summary);
};

/** A path found while walking. `leftOut` says why it is not read, `error` why it cannot be read. */
type Found = { path: string; isNamed?: boolean; leftOut?: string; error?: string };

type Imported = { outcome: "added" | "known" | "skipped" | "failed"; row?: object; reason?: string };

async function importOne(deps: Deps, ownerId: string, found: Found): Promise<Imported> {
  const { path, isNamed, leftOut, error } = found;
  if (leftOut !== undefined) return { outcome: "skipped", reason: leftOut };
  if (error !== undefined) return { outcome: "failed", row: { path, error } };
  try {
    if (await isAudioFile(path)) {
      const { trackId, isNew } = await importFile(deps, ownerId, path);
      return { outcome: isNew ? "added" : "known", row: { path, trackId } };
    }
    // A named file must be audio; other files in a folder are not an error.
    if (isNamed) return { outcome: "failed", row: { path, error: `This is ${NOT_AUDIO}` } };
    return { outcome: "skipped", reason: NOT_AUDIO };
  } catch (thrown) {
    return { outcome: "failed", row: { path, error: (thrown as Error).message } };
  }
}

/** Returns every file at or under the named paths, in name order. */
async function* walk(paths: readonly string[]): AsyncGenerator<Found> {
  for (const path of paths) {
    const stat = await statOrError(path);
    if (stat instanceof Error) yield { path, isNamed: true, error: sentenceOf(stat) };
    else if (stat.isDirectory()) yield* filesIn(path, []);
    else yield { path, isNamed: true };
  }
}

/** @param trail The folders above, by device and inode: a link that leads back into one of them would never end. */
async function* filesIn(folder: string, trail: readonly string[]): AsyncGenerator<Found> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (names instanceof Error) return yield { path: folder, error: sentenceOf(names) };
  const { dev, ino } = await readStat(folder);
  const own = `${dev}:${ino}`;
  if (trail.includes(own)) return yield { path: folder, leftOut: "a link to a folder that contains it" };

  for (const name of names.sort((a, b) => a.localeCompare(b))) {
    const path = join(folder, name);
    const stat = await statOrError(path);
    if (name.startsWith(".")) yield { path, leftOut: "hidden" };
    else if (stat instanceof Error) yield unreadable(path, stat);
    else if (stat.isDirectory()) yield* filesIn(path, [...trail, own]);
    else if (stat.isFile()) yield { path };
    else yield { path, leftOut: "neither a file nor a folder" };
  }
}

function unreadable(path: string, error: NodeJS.ErrnoException): Found {
  const isBrokenLink = ["ENOENT", "ELOOP"].includes(error.code ?? "");
  return isBrokenLink ? { path, leftOut: "a link that leads nowhere" } : { path, error: sentenceOf(error) };
}

function statOrError(path: string): Promise<Stats | NodeJS.ErrnoException> {
  return readStat(path).catch((error: NodeJS.ErrnoException) => error);
}

function sentenceOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "There is no such file or folder";
  return error.code === "EACCES" ? "This user may not read it" : error.message;
}
