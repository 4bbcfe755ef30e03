import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WayIn } from "../support/process.ts";

const ROOT = join(import.meta.dir, "../..");

/** Puts the executable of this run of tests, or one that it builds, alone into an empty folder. */
export function executableAlone(): { way: WayIn; remove: () => void } {
  const cwd = mkdtempSync(join(tmpdir(), "dubplate-alone-"));
  const executable = join(cwd, "dubplate");
  if (process.env.TEST_PROGRAM) copyFileSync(process.env.TEST_PROGRAM, executable);
  else buildAt(executable);
  return { way: { command: [executable], cwd }, remove: () => rmSync(cwd, { recursive: true, force: true }) };
}

function buildAt(executable: string): void {
  const script = [process.execPath, "scripts/build.ts", executable];
  const { exitCode, stderr } = Bun.spawnSync(script, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(stderr.toString());
}
