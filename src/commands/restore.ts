import { findBackup, isFolder } from "../backup/open-backup.ts";
import { createProgress, inWords } from "../backup/progress.ts";
import { restoreBackup } from "../backup/restore.ts";
import { parseBound } from "../kernel/time.ts";
import { type Command, UsageError } from "./command.ts";
import { linesOfMembers } from "./restore/members.ts";
import { linesOfMusicApps } from "./restore/music-apps.ts";

/** `restore`: checks every byte of a backup, and makes its library in an empty data folder. It says who is in the libraries again. */
export const restore: Command<"restore"> = async ({ settings, options, words: [path = ""], print, say }) => {
  const place = findBackup(path, readTime(options.at, path));
  const restored = await restoreBackup(settings.dataDir, place, (totalBytes) =>
    createProgress(process.stderr, totalBytes),
  );
  print(restored);
  const { dataDir, files, bytes, seconds, createdAt, unsureMails } = restored;
  for (const line of linesOfMembers(dataDir, createdAt)) say(line);
  for (const line of linesOfMusicApps(dataDir, createdAt)) say(line);
  if (unsureMails > 0)
    say(
      `${unsureMails === 1 ? "A mail was" : `${unsureMails} mails were`} waiting in the backup and may have gone since: none goes again unless somebody sends it again.`,
    );
  say(
    `Restored ${files} files, ${inWords(bytes)}, as of ${createdAt}, in ${seconds} s. Start the server now.`,
  );
};

function readTime(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return undefined;
  const at = isFolder(path) ? parseBound(text, "last") : undefined;
  if (at === undefined)
    throw new UsageError("TIME is a day, or a time such as 2026-11-22T14:30Z, of a folder");
  return at;
}
