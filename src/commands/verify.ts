import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Finding, isFault } from "../backup/finding.ts";
import { archiveBytes, type BackupPlace, findBackup, isFolder, listBackups } from "../backup/open-backup.ts";
import { createProgress, inWords } from "../backup/progress.ts";
import { repairFiles } from "../backup/repair.ts";
import { noteBackup } from "../backup/state.ts";
import { verifyBackup } from "../backup/verify-backup.ts";
import type { Checked } from "../backup/verify-files.ts";
import { verifyLibrary } from "../backup/verify-library.ts";
import { type Originals, originalsOf } from "../blobs/store.ts";
import { type Command, type CommandContext, parseOrExplain, RefusedError, UsageError } from "./command.ts";

const USAGE = "dubplate verify [FILE|DIR/] [--quick] [--repair FILE|DIR/]";
const OPTIONS = { quick: { type: "boolean" }, repair: { type: "string" } } as const;

/**
 * `verify`: checks the library, or a backup, and prints one line per finding. Exit 1 when something is damaged,
 * missing or dangling; a file that no row names is only a note.
 */
export const verify: Command = async ({ settings, args, print, say }) => {
  const { values, positionals } = parseOrExplain(args, USAGE, OPTIONS);
  const [path, ...others] = positionals;
  const { quick = false, repair } = values;
  if (others.length > 0 || (repair !== undefined && path !== undefined)) throw new UsageError(USAGE);
  const hash = quick !== true;
  if (path !== undefined && !isLibrary(path)) return verifyBackups(path, hash, { print, say });

  const dataDir = path === undefined ? settings.dataDir : resolve(path);
  const from = typeof repair === "string" ? findBackup(repair) : undefined;
  const originals = originalsOf({ ...settings, dataDir });
  await checkLibrary({ dataDir, originals, hash, from }, { print, say });
};

type Voice = Pick<CommandContext, "print" | "say">;

const isLibrary = (path: string) => existsSync(join(path, "dubplate.db"));

type LibraryCheck = { dataDir: string; originals: Originals; hash: boolean; from: BackupPlace | undefined };

async function checkLibrary(
  { dataDir, originals, hash, from }: LibraryCheck,
  { print, say }: Voice,
): Promise<void> {
  const progress = createProgress(process.stderr, 0);
  const waiting: Finding[] = [];
  let faults = 0;
  const report = (finding: Finding) => {
    // A fault that a backup may repair is printed once the result is known.
    if (from && isRepairable(finding)) waiting.push(finding);
    else {
      print(finding);
      if (isFault(finding)) faults++;
    }
  };
  const checked = await verifyLibrary({ dataDir, originals, hash, report, read: progress.add });
  progress.end();
  if (from) {
    const repaired = await repairFiles(dataDir, from, waiting, () => undefined);
    for (const finding of waiting) print({ ...finding, repaired: repaired.has(finding.path ?? "") });
    faults += waiting.filter(({ path }) => !repaired.has(path ?? "")).length;
    say(`${repaired.size} files repaired`);
  }
  if (hash) noteCheck(dataDir, faults);
  conclude(checked, faults, say);
}

/** For the metrics of the library's server. A library that cannot be written is checked all the same. */
function noteCheck(dataDir: string, faults: number): void {
  try {
    noteBackup({ dataDir }, { lastFaults: faults, ...(faults === 0 && { lastVerifiedAt: Date.now() }) });
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const isRepairable = (finding: Finding) => isFault(finding) && /^(audio|artwork)\//.test(finding.path ?? "");

async function verifyBackups(path: string, hash: boolean, { print, say }: Voice): Promise<void> {
  const places = isFolder(path) ? listBackups(path) : [findBackup(path)];
  const sound = new Set<string>();
  const checked = { files: 0, bytes: 0 };
  let faults = 0;
  for (const place of places) {
    const progress = createProgress(process.stderr, archiveBytes(place));
    const report = (finding: Finding) => {
      print(places.length > 1 ? { ...finding, backup: place.archive } : finding);
      if (isFault(finding)) faults++;
    };
    const { files = 0, bytes = 0 } =
      (await verifyBackup(place, { report, read: progress.add, hash: () => hash, sound })) ?? {};
    progress.end();
    checked.files += files;
    checked.bytes += bytes;
  }
  conclude(checked, faults, say);
}

function conclude({ files, bytes }: Checked, faults: number, say: (text: string) => void): void {
  if (faults > 0) throw new RefusedError(`${faults} ${faults === 1 ? "fault" : "faults"} found`);
  say(`Checked ${files} files, ${inWords(bytes)}: sound`);
}
