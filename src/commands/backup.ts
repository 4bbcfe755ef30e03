import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { resolve, sep } from "node:path";
import { backUpToFile, backUpToOutput, type Outcome, type StartProgress } from "../backup/backup.ts";
import { backUpToFolder } from "../backup/folder.ts";
import { isFolder } from "../backup/open-backup.ts";
import { createProgress, inWords } from "../backup/progress.ts";
import { noteBackup } from "../backup/state.ts";
import type { Deps } from "../kernel/deps.ts";
import { signHeadsForBackup } from "../modules/proof/ledger/service.ts";
import { type Command, RefusedError } from "./command.ts";

/**
 * `backup`: copies the library, even while it is served, to a file, to standard output, or into a folder of
 * snapshots.
 */
export const backup: Command<"backup"> = async ({ open, settings, words: [path = ""], print, say }) => {
  if (!existsSync(`${settings.dataDir}/dubplate.db`))
    throw new RefusedError(`There is no library in ${settings.dataDir}: set DATA_DIR`);
  if (`${resolve(path)}${sep}`.startsWith(`${settings.dataDir}${sep}`) && path !== "-")
    say(`${path} is inside DATA_DIR: move it to another disk, or it is lost together with the library`);

  // Requests come first.
  setPriority(constants.priority.PRIORITY_LOW);
  // A library on a full disk can be backed up to another disk.
  const { backup: made, faults } = await backUp(open({ mayBeFull: true }), path);
  // Standard output carries the backup.
  if (path === "-") say(JSON.stringify(made));
  else print(made);
  for (const { kind, path: file, id, detail } of faults) say(`${kind}: ${file} (${id}): ${detail}`);
  if (faults.length > 0)
    throw new RefusedError(
      `The backup lacks ${faults.length} of the library's files, and has everything else: run dubplate verify`,
    );
  noteBackup(settings, { lastSuccessAt: Date.now(), lastBytes: made.bytes });
  say(`Backed up ${made.files} files, ${inWords(made.bytes)} written in ${made.seconds} s`);
};

function backUp(deps: Deps, path: string): Promise<Outcome> {
  signHeadsForBackup(deps);
  const start: StartProgress = (totalBytes) => createProgress(process.stderr, totalBytes);
  if (path === "-") return backUpToOutput(deps, start);
  return isFolder(path)
    ? backUpToFolder(deps, resolve(path), start)
    : backUpToFile(deps, resolve(path), start);
}
