/**
 * Builds the executables of a release for every system that the runtime and the vector extension exist for, with
 * the manual page, `SHA256SUMS` and `release.json`, which `dubplate update --check` reads.
 *
 * usage: bun scripts/release.ts [--out DIR] [PLATFORM...]
 */
import "./support/help.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { manualPage } from "../src/command-line/man.ts";
import { PROGRAM } from "../src/kernel/program.ts";
import { buildExecutable } from "./build/executable.ts";

const ROOT = join(import.meta.dir, "..");

type Target = { bun: Bun.Build.CompileTarget; extension: string };

/**
 * Not here, because sqlite-vec publishes no extension for them: Windows on arm64, and Linux with musl (Alpine). The
 * `baseline` runs on processors without AVX2, such as those of many small NAS boxes.
 */
const TARGETS: Readonly<Record<string, Target>> = {
  "linux-x64": { bun: "bun-linux-x64", extension: "sqlite-vec-linux-x64/vec0.so" },
  "linux-x64-baseline": { bun: "bun-linux-x64-baseline", extension: "sqlite-vec-linux-x64/vec0.so" },
  "linux-arm64": { bun: "bun-linux-arm64", extension: "sqlite-vec-linux-arm64/vec0.so" },
  "darwin-x64": { bun: "bun-darwin-x64", extension: "sqlite-vec-darwin-x64/vec0.dylib" },
  "darwin-arm64": { bun: "bun-darwin-arm64", extension: "sqlite-vec-darwin-arm64/vec0.dylib" },
  "windows-x64": { bun: "bun-windows-x64", extension: "sqlite-vec-windows-x64/vec0.dll" },
};

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: { out: { type: "string", default: join(ROOT, "dist/release") } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(TARGETS, name));
if (unknown.length > 0) {
  console.error(`No such platform: ${unknown.join(", ")}. There are: ${Object.keys(TARGETS).join(", ")}`);
  process.exit(2);
}

/** Installs the locked packages for every system, apart from the checkout's own. Returns their folder. */
async function installForAll(folder: string): Promise<string> {
  for (const name of ["package.json", "bun.lock", "bunfig.toml", "patches"])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  const command = ["install", "--frozen-lockfile", "--production", "--silent", "--os=*", "--cpu=*"];
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("The packages of the other systems could not be installed");
  return join(folder, "node_modules");
}

async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

mkdirSync(values.out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "dubplate-release-"));
try {
  const packages = await installForAll(folder);
  const files: { name: string; platform: string; bytes: number; sha256: string }[] = [];
  for (const [platform, { bun, extension }] of Object.entries(TARGETS)) {
    if (positionals.length > 0 && !positionals.includes(platform)) continue;
    const path = await buildExecutable({
      outfile: join(values.out, `${PROGRAM.name}-${PROGRAM.version}-${platform}`),
      extensionPath: join(packages, extension),
      target: bun,
    });
    const file = { name: basename(path), platform, bytes: Bun.file(path).size, sha256: await hashOf(path) };
    files.push(file);
    console.log(JSON.stringify(file));
  }
  const page = join(values.out, `${PROGRAM.name}.1`);
  await Bun.write(page, `${manualPage()}\n`);
  const summed = [...files, { name: basename(page), sha256: await hashOf(page) }];
  const sums = summed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  await Bun.write(join(values.out, "SHA256SUMS"), sums);
  // The executables do not need them.
  for (const name of new Glob("*.map").scanSync(values.out)) rmSync(join(values.out, name));
  const release = { program: PROGRAM.name, version: PROGRAM.version, files };
  await Bun.write(join(values.out, "release.json"), `${JSON.stringify(release, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
