import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAbandoned } from "../../kernel/processes.ts";

const PREFIX = "dubplate-media-";

/** Makes an empty folder for one child process, named after the process that will remove it. */
export function makeWorkDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes the folders that killed processes left behind. */
export async function sweepWorkDirs(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid)) continue;
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined);
    if (found && isAbandoned(pid, found.mtimeMs))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
