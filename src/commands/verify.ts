import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openDb } from "../../db/client.ts";
import { type Finding, isFault } from "../backup/finding.ts";
import { findLitestream } from "../backup/litestream.ts";
import { DATABASE } from "../backup/manifest.ts";
import { archiveBytes, type BackupPlace, findBackup, isFolder, listBackups } from "../backup/open-backup.ts";
import { createProgress, inWords } from "../backup/progress.ts";
import { repairFiles } from "../backup/repair.ts";
import { type BackupState, noteBackup } from "../backup/state.ts";
import { verifyBackup } from "../backup/verify-backup.ts";
import type { Checked } from "../backup/verify-files.ts";
import { verifyLibrary } from "../backup/verify-library.ts";
import { verifyReplica } from "../backup/verify-replica.ts";
import { type Originals, originalsOf } from "../blobs/store.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { isSoundFault, rebuildSounds } from "../modules/library/sounds/service.ts";
import { type Command, type CommandContext, RefusedError, UsageError } from "./command.ts";

/** Litestream writes every second, and to some stores more slowly. */
const WAIT_SECONDS = 60;

/**
 * `verify`: checks the library, or a backup, and prints one line per finding. Exit 1 when something is damaged,
 * missing or dangling; a file that no row names is only a note. `--repair` makes again what follows from other rows, and
 * takes good bytes of files from a backup.
 */
export const verify: Command<"verify"> = async (context) =>
  context.options.replica ? checkReplica(context) : checkFiles(context);

type Context = CommandContext<"verify">;

async function checkFiles({ options, words: [path], settings, print, say }: Context): Promise<void> {
  const { quick, repair, wait } = options;
  if (wait !== undefined) throw new UsageError("--wait is for --replica: give both, or neither");
  if (repair !== undefined && path !== undefined)
    throw new UsageError("Only the library of DATA_DIR is repaired: leave out one of the two backups");
  const hash = !quick;
  if (path !== undefined && !isLibrary(path)) return verifyBackups(path, hash, { print, say });

  const dataDir = path === undefined ? settings.dataDir : resolve(path);
  const from = repair !== undefined && repair !== "" ? findBackup(repair) : undefined;
  const originals = originalsOf({ ...settings, dataDir });
  const check = { dataDir, originals, hash, from, isRepaired: repair !== undefined };
  await checkLibrary(check, { print, say });
}

/** Prints the findings, and then what the replica holds. */
async function checkReplica({ options, words: [path], settings, print, say }: Context): Promise<void> {
  const source = path ?? settings.replica?.source;
  if (source === undefined)
    throw new UsageError("Say where the replica is: Litestream's file or address, or DATABASE_REPLICA");
  if (options.quick || options.repair !== undefined)
    throw new UsageError("--quick and --repair are not for --replica: leave them out");
  const patienceMs = SECOND_MS * (options.wait ?? WAIT_SECONDS);
  const { dataDir } = settings;
  const program = findLitestream(settings.litestreamPath);
  const replica = { source, databasePath: join(dataDir, "dubplate.db"), program };
  let faults = 0;
  const report = (finding: Finding) => {
    print(finding);
    if (isFault(finding)) faults++;
  };
  const checked = await verifyReplica({ replica, dataDir, patienceMs, report });
  if (checked) print(checked);
  if (isLibrary(dataDir)) noteReplicaCheck(dataDir, faults);
  refuseFaults(faults);
  if (!checked) return;
  const compared = checked.isCompared
    ? "the same as the library"
    : "sound; no library here to compare it with";
  say(`Restored ${inWords(checked.bytes)}, ${checked.ageSeconds} s old: ${compared}`);
}

type Voice = Pick<CommandContext, "print" | "say">;

const isLibrary = (path: string) => existsSync(join(path, "dubplate.db"));

type LibraryCheck = {
  dataDir: string;
  originals: Originals;
  hash: boolean;
  /** Has good bytes for files. */
  from: BackupPlace | undefined;
  isRepaired: boolean;
};

async function checkLibrary(
  { dataDir, originals, hash, from, isRepaired }: LibraryCheck,
  { print, say }: Voice,
): Promise<void> {
  const progress = createProgress(process.stderr, 0);
  const waiting: Finding[] = [];
  let faults = 0;
  const report = (finding: Finding) => {
    // A fault that may be repaired is printed once the result is known.
    if ((from && isRepairable(finding)) || (isRepaired && isSoundFault(finding.detail)))
      waiting.push(finding);
    else {
      print(finding);
      if (isFault(finding)) faults++;
    }
  };
  const checked = await verifyLibrary({ dataDir, originals, hash, report, read: progress.add });
  progress.end();
  if (isRepaired) faults += await repair({ dataDir, from, waiting }, { print, say });
  if (hash) noteCheck(dataDir, faults);
  conclude(checked, faults, say);
}

type Repair = { dataDir: string; from: BackupPlace | undefined; waiting: readonly Finding[] };

/** Repairs the faults found, and prints them. Returns how many faults are left. */
async function repair({ dataDir, from, waiting }: Repair, { print, say }: Voice): Promise<number> {
  const [sounds, files] = [true, false].map((isSound) =>
    waiting.filter(({ detail }) => isSoundFault(detail) === isSound),
  ) as [Finding[], Finding[]];
  if (sounds.length > 0) {
    const db = openDb(join(dataDir, DATABASE));
    rebuildSounds(db);
    db.$client.close();
    for (const finding of sounds) print({ ...finding, repaired: true });
    say(`${sounds.length} vectors repaired`);
  }
  if (!from) return 0;
  const repaired = await repairFiles(dataDir, from, files, () => undefined);
  for (const finding of files) print({ ...finding, repaired: repaired.has(finding.path ?? "") });
  say(`${repaired.size} files repaired`);
  return files.filter(({ path }) => !repaired.has(path ?? "")).length;
}

function noteCheck(dataDir: string, faults: number): void {
  note(dataDir, { lastFaults: faults, ...(faults === 0 && { lastVerifiedAt: Date.now() }) });
}

function noteReplicaCheck(dataDir: string, faults: number): void {
  const at = Date.now();
  note(dataDir, {
    replicaCheckedAt: at,
    replicaFaults: faults,
    ...(faults === 0 && { replicaVerifiedAt: at }),
  });
}

/** For the metrics of the library's server. A library that cannot be written is checked all the same. */
function note(dataDir: string, change: Partial<BackupState>): void {
  try {
    noteBackup({ dataDir }, change);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const isRepairable = (finding: Finding) =>
  isFault(finding) && /^(audio|artwork|artwork-originals)\//.test(finding.path ?? "");

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
  refuseFaults(faults);
  say(`Checked ${files} files, ${inWords(bytes)}: sound`);
}

function refuseFaults(faults: number): void {
  if (faults > 0) throw new RefusedError(`${faults} ${faults === 1 ? "fault" : "faults"} found`);
}
