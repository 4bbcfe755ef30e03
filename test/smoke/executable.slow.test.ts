import { afterAll } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkRefusals } from "../flows/refusals.ts";
import { walk } from "./walk.ts";

const ROOT = join(import.meta.dir, "../..");
const cwd = mkdtempSync(join(tmpdir(), "dubplate-alone-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Returns the executable of this run of tests, or builds one, once. */
function build() {
  const executable = join(cwd, "dubplate");
  if (!existsSync(executable)) {
    if (process.env.TEST_PROGRAM) copyFileSync(process.env.TEST_PROGRAM, executable);
    else buildAt(executable);
  }
  return { way: { command: [executable], cwd }, remove: () => {} };
}

function buildAt(executable: string): void {
  const script = [process.execPath, "scripts/build.ts", executable];
  const { exitCode, stderr } = Bun.spawnSync(script, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

walk("the compiled executable, alone in an empty folder", build);
walkRefusals("the compiled executable", build, { isEveryCommand: false });
