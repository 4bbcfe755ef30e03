import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkRefusals } from "../flows/refusals.ts";
import type { WayIn } from "../support/process.ts";
import { walk } from "./walk.ts";

const ROOT = join(import.meta.dir, "../..");
const cwd = mkdtempSync(join(tmpdir(), "dubplate-alone-"));
let way: WayIn | undefined;
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Builds the executable, once. */
function build() {
  const executable = join(cwd, "dubplate");
  const script = [process.execPath, "scripts/build.ts", executable];
  const { exitCode, stderr } = way ? { exitCode: 0, stderr: "" } : Bun.spawnSync(script, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(stderr.toString());
  way = { command: [executable], cwd };
  return { way, remove: () => {} };
}

walk("the compiled executable, alone in an empty folder", build);
walkRefusals("the compiled executable", build, { isEveryCommand: false });
