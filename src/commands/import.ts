import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { getAccountByEmail } from "../modules/accounts/service.ts";
import { importFile, isAudioFile } from "../modules/tracks/service.ts";
import { type Command, type CommandContext, parseOrExplain, UsageError } from "./command.ts";

const USAGE = "dubplate import PATH... --email E";
const PROGRESS_FILES = 25;

/** `import`: walks folders and takes in what is audio. Safe to run twice: what is there already is not added again. */
export const importFiles: Command = async ({ deps, args, print, say }) => {
  const { values, positionals } = parseOrExplain(args, USAGE, { email: { type: "string" } });
  if (typeof values.email !== "string" || positionals.length === 0) throw new UsageError(USAGE);
  const owner = getAccountByEmail(deps, values.email);

  const counts = { added: 0, known: 0, skipped: 0, failed: 0 };
  for (const start of positionals)
    for await (const path of filesUnder(start)) {
      const { outcome, row } = await importOne(deps, owner.id, path);
      counts[outcome]++;
      if (row) print(row);
      if (row && (counts.added + counts.known) % PROGRESS_FILES === 0)
        say(`${counts.added + counts.known} files so far`);
    }
  say(
    `${counts.added} added, ${counts.known} already there, ${counts.skipped} not audio, ${counts.failed} failed. ` +
      "A running server analyses them now, otherwise the next one does.",
  );
};

async function importOne(
  deps: CommandContext["deps"],
  ownerId: string,
  path: string,
): Promise<{ outcome: "added" | "known" | "skipped" | "failed"; row?: object }> {
  try {
    if (!(await isAudioFile(path))) return { outcome: "skipped" };
    const { trackId, isNew } = await importFile(deps, ownerId, path);
    return { outcome: isNew ? "added" : "known", row: { path, trackId } };
  } catch (error) {
    return { outcome: "failed", row: { path, error: (error as Error).message } };
  }
}

/** Every file at or under a path, in name order; hidden ones are left out, links are not followed. */
async function* filesUnder(path: string): AsyncGenerator<string> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    yield path;
    return;
  }
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
    if (entry.name.startsWith(".") || entry.isSymbolicLink()) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* filesUnder(child);
    else if (entry.isFile()) yield child;
  }
}
