import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { DAY_MS } from "../../src/kernel/time.ts";
import { ROOT } from "./source.ts";

const WEEK_MS = 7 * DAY_MS;
const KEPT = join(ROOT, "node_modules/.cache/dubplate-tests");
const versions = new Map<string, string>();

/**
 * Returns the path of what `make` writes, a file or a folder. It is made once for all files and runs of tests, and again
 * when a source changes. Whoever wants to change it copies it.
 *
 * @param sources Files and folders of the repository that the result depends on.
 * @param make Writes the result at a path that does not exist yet.
 */
export async function madeOnce(
  name: string,
  sources: readonly string[],
  make: (path: string) => unknown,
): Promise<string> {
  const path = join(KEPT, versionOf(sources), name);
  if (existsSync(path)) return path;
  if (mkdirSync(dirname(path), { recursive: true }) !== undefined) forgetOldVersions();
  const draft = mkdtempSync(`${path}.`);
  try {
    await make(join(draft, "made"));
    renameSync(join(draft, "made"), path);
  } catch (error) {
    // Another process made the same meanwhile: a folder does not take the place of a full one.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
}

/** Removes what nobody added to for a week: it was made by other versions of the program. */
function forgetOldVersions(): void {
  for (const version of readdirSync(KEPT).map((name) => join(KEPT, name)))
    if (Date.now() - statSync(version).mtimeMs > WEEK_MS) rmSync(version, { recursive: true, force: true });
}

/** Returns a hash of everything in the sources. */
function versionOf(sources: readonly string[]): string {
  const key = sources.join();
  const known = versions.get(key);
  if (known) return known;
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of sources.flatMap(filesOf)) hasher.update(file).update(readFileSync(join(ROOT, file)));
  const version = hasher.digest("hex").slice(0, 24);
  versions.set(key, version);
  return version;
}

const filesOf = (source: string) =>
  statSync(join(ROOT, source)).isFile() ? [source] : [...new Glob(`${source}/**/*`).scanSync(ROOT)].sort();
