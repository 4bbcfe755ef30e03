import { findBackup, isFolder } from "../backup/open-backup.ts";
import { createProgress, inWords } from "../backup/progress.ts";
import { restoreBackup } from "../backup/restore.ts";
import { parseBound } from "../kernel/time.ts";
import { type Command, parseOrExplain, UsageError } from "./command.ts";

const USAGE = "dubplate restore FILE|-|DIR/ [--at TIME]";

/** `restore`: checks every byte of a backup, and makes its library in an empty data folder. */
export const restore: Command = async ({ settings, args, print, say }) => {
  const { values, positionals } = parseOrExplain(args, USAGE, { at: { type: "string" } });
  const [path = "", ...others] = positionals;
  if (path === "" || others.length > 0) throw new UsageError(USAGE);
  const place = findBackup(path, readTime(values.at, path));
  const restored = await restoreBackup(settings.dataDir, place, (totalBytes) =>
    createProgress(process.stderr, totalBytes),
  );
  print(restored);
  const { files, bytes, seconds, createdAt } = restored;
  say(
    `Restored ${files} files, ${inWords(bytes)}, as of ${createdAt}, in ${seconds} s. Start the server now.`,
  );
};

function readTime(
  text: string | boolean | undefined | (string | boolean)[],
  path: string,
): number | undefined {
  if (text === undefined) return undefined;
  const at = typeof text === "string" && isFolder(path) ? parseBound(text, "last") : undefined;
  if (at === undefined)
    throw new UsageError(`${USAGE}\nTIME is a day, or a time such as 2026-11-22T14:30Z, of a folder`);
  return at;
}
