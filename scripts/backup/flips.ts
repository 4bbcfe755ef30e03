import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../src/demo/dsp/random.ts";
import { type CommandResult, runDubplate } from "./command.ts";

/** What can be restored: an archive, or a folder of snapshots. */
type Restorable = { restore: string; files: readonly string[] };

/** What happened to backups with one changed bit. */
export type Flips = { refused: number; violations: string[] };

/**
 * Changes one bit at a time and tries to restore. Every second bit is in `archive`; the others are in the archive of
 * `shared`'s snapshot and in the files that it shares, in turn. Every bit of an archive is equally likely.
 *
 * @param target A folder that does not exist. It must be empty after each attempt.
 * @throws Error when an unchanged backup is not restored.
 */
export async function flipBits(
  { archive, shared, target }: { archive: string; shared: string; target: string },
  count: number,
  random: Random,
): Promise<Flips> {
  const snapshots = filesBelow(join(shared, "snapshots"));
  const originals = filesBelow(join(shared, "audio"));
  const places: readonly Restorable[] = [
    { restore: archive, files: [archive] },
    { restore: `${shared}/`, files: snapshots },
    { restore: archive, files: [archive] },
    { restore: `${shared}/`, files: originals },
  ];
  for (const path of [archive, `${shared}/`]) await restoreUnchanged(path, target);
  mkdirSync(target);
  const flips: Flips = { refused: 0, violations: [] };
  for (let flip = 0; flip < count; flip++) {
    const { restore, files } = places[flip % places.length] as Restorable;
    const file = files[Math.floor(random() * files.length)] ?? "";
    const bit = Math.floor(random() * statSync(file).size * 8);
    const attempt = await withFlippedBit(file, bit, () => runDubplate(target, ["restore", restore]));
    const isEmpty = readdirSync(target).length === 0 && !existsSync(`${target}.restoring`);
    if (isRefusal(attempt) && isEmpty) flips.refused++;
    else
      flips.violations.push(
        `bit ${bit} of ${file} was changed: exit ${attempt.code}, empty ${isEmpty}: ${attempt.stderr}`,
      );
  }
  return flips;
}

async function restoreUnchanged(path: string, target: string): Promise<void> {
  const { code, stderr } = await runDubplate(target, ["restore", path]);
  if (code !== 0) throw new Error(`${path} was not restored as it was written: ${stderr}`);
  rmSync(target, { recursive: true });
}

/** One sentence, and exit 1. */
function isRefusal({ code, stderr }: CommandResult): boolean {
  return code === 1 && stderr.includes("nothing was restored") && stderr.trim().split("\n").length === 1;
}

async function withFlippedBit<Result>(
  path: string,
  bit: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const bytes = readFileSync(path);
  const changed = Buffer.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  writeFileSync(path, changed);
  const result = await work();
  writeFileSync(path, bytes);
  return result;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
