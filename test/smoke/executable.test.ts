import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walk } from "./walk.ts";

const ROOT = join(import.meta.dir, "../..");

walk("the compiled executable, alone in an empty folder", () => {
  const cwd = mkdtempSync(join(tmpdir(), "dubplate-alone-"));
  const executable = join(cwd, "dubplate");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "scripts/build.ts", executable], {
    cwd: ROOT,
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return {
    way: { command: [executable], cwd },
    remove: () => rmSync(cwd, { recursive: true, force: true }),
  };
});
