import { expect, test } from "bun:test";
import { join } from "node:path";

const SCRIPTS = join(import.meta.dir, "../../scripts");

/** The short forms of what proves the backups; docs/decisions/0035-backup.md has the figures of the long ones. */
test.each([
  [
    "backups taken while the library is written to bring back all of it, and a changed bit is refused",
    ["backup-rounds.ts", "--rounds", "2", "--flips", "4"],
    "2 backups restored and compared, 4 of 4 changed bits refused, 0 violations",
  ],
  [
    "verify finds nothing in a sound library, and names each kind of harm",
    ["verify-library.ts", "--tracks", "60", "--served", "16"],
    "8 kinds of harm, 0 differences",
  ],
  [
    "a library that is killed during backups, restores, sweeps and migrations is sound, and nothing half carries a final name",
    ["chaos-mixed.ts", "--kills", "6", "--seed", "2"],
    "No violation.",
  ],
])("%s", async (_, args, words) => {
  const [script = "", ...options] = args;
  const child = Bun.spawn([process.execPath, join(SCRIPTS, script), ...options], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stdout).toContain(words);
  expect([await child.exited, stderr]).toEqual([0, ""]);
});
