import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { walk } from "./walk.ts";

const ROOT = join(import.meta.dir, "../..");

/** Installs a copy of a clean clone without development dependencies. */
function installClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-clone-"));
  const listed = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  const files = listed.stdout.toString().split("\0").filter(Boolean);
  if (files.length === 0) throw new Error("The checkout's files could not be listed");
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    // A deleted file is still listed until the deletion is committed.
    cpSync(join(ROOT, file), join(folder, file), { force: true, errorOnExist: false });
  }
  const install = [process.execPath, "install", "--frozen-lockfile", "--production", "--silent"];
  const { exitCode, stderr } = Bun.spawnSync(install, { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return folder;
}

const install = () => {
  const clone = installClone();
  const cwd = mkdtempSync(join(tmpdir(), "dubplate-elsewhere-"));
  // Another project's settings for JSX, which must not affect ours.
  writeFileSync(join(cwd, "tsconfig.json"), '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }');
  return {
    way: { command: [process.execPath, join(clone, "src/main.ts")], cwd },
    remove: () => {
      for (const folder of [clone, cwd]) rmSync(folder, { recursive: true, force: true });
    },
  };
};

walk("a production install of a clean clone, started from another folder", install, { playsDemo: false });
