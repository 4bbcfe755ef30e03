import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small disk for one test. */
export type SmallDisk = {
  path: string;
  /** Writes a file until no byte is free, or about as many as are to be left. */
  fill: (options?: { leaving?: number }) => void;
  /** Removes that file. */
  makeRoom: () => void;
  makeReadOnly: () => void;
  unmount: () => void;
};

/** Mounts a file system in memory. Undefined, with a printed line, where this user may not mount. */
export function mountDisk(size: string): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "dubplate-disk-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size},mode=777`, "tmpfs", path]);
  if (mounted.exitCode !== 0) {
    console.log("Not checked on a small disk: this user may not mount one");
    rmSync(path, { recursive: true });
    return undefined;
  }
  const filling = join(path, "filling");
  return {
    path,
    fill: ({ leaving = 0 } = {}) => {
      fill(filling);
      truncateSync(filling, Math.max(0, statSync(filling).size - leaving));
    },
    makeRoom: () => rmSync(filling, { force: true }),
    makeReadOnly: () => {
      Bun.spawnSync(["mount", "-o", "remount,ro", path]);
    },
    unmount: () => {
      Bun.spawnSync(["umount", "-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Appends ever smaller pieces until not a byte more goes in. */
function fill(path: string): void {
  const file = openSync(path, "a", 0o600);
  for (let size = 1 << 20; size >= 1; size >>= 1)
    try {
      for (;;) if (writeSync(file, new Uint8Array(size)) < size) break;
    } catch {
      // This size no longer fits.
    }
  closeSync(file);
}
