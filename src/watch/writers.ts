import { readdir, readFile, stat } from "node:fs/promises";

const O_ACCMODE = 3;

/**
 * Returns the files that a process of this user has open for writing, by device and inode. Empty where the system does not
 * tell: this is one sign among several.
 */
export async function filesBeingWritten(): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  if (process.platform !== "linux") return written;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const handles = await readdir(`/proc/${pid}/fdinfo`).catch(() => []);
    for (const handle of handles) {
      const info = await readFile(`/proc/${pid}/fdinfo/${handle}`, "utf8").catch(() => "");
      const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
      if ((flags & O_ACCMODE) === 0) continue;
      const file = await stat(`/proc/${pid}/fd/${handle}`).catch(() => undefined);
      if (file?.isFile()) written.add(String(file.ino));
    }
  }
  return written;
}
