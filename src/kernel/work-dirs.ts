import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAbandoned } from "./processes.ts";

/** What a temporary folder is for: a child that reads media, the restored database of a replica, or another's jobs. */
type Purpose = "media" | "replica" | "work";

const NAME = /^dubplate-(?:media|replica|work)-(\d+)-/;

/** Makes an empty temporary folder, named after this process, which removes it. */
export function makeWorkDir(purpose: Purpose): Promise<string> {
  return mkdtemp(join(tmpdir(), `dubplate-${purpose}-${process.pid}-`));
}

/** Removes the folders that killed processes left behind. */
export async function sweepWorkDirs(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid)) continue;
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined);
    if (found && isAbandoned(pid, found.mtimeMs))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
