import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { importsOf, ROOT, readSource } from "./support/source.ts";

/** What starts a browser, or finds one. */
const BROWSER = "scripts/find-browser.ts";

const files = [...new Glob("test/**/*.test.ts").scanSync(ROOT)].sort();
const imports = new Map<string, string[]>();

/** Returns the files that a file imports, directly or through others. */
async function reachedFrom(file: string): Promise<Set<string>> {
  const reached = new Set([file]);
  // What is added meanwhile is visited too.
  for (const each of reached) for (const target of await importedBy(each)) reached.add(target);
  return reached;
}

async function importedBy(file: string): Promise<string[]> {
  const known = imports.get(file);
  if (known) return known;
  const isCode = /\.tsx?$/.test(file) && (await Bun.file(join(ROOT, file)).exists());
  const found = isCode ? importsOf(file, await readSource(file)) : [];
  imports.set(file, found);
  return found;
}

test("a test that drives a browser is named for it, so that the README's command leaves it out", async () => {
  const wrong: string[] = [];
  for (const file of files) {
    const drivesBrowser = (await reachedFrom(file)).has(BROWSER);
    if (drivesBrowser && !/\.(browser|slow)\.test\.ts$/.test(file))
      wrong.push(`${file} -> ${file.replace(".test.ts", ".browser.test.ts")}`);
    if (!drivesBrowser && file.endsWith(".browser.test.ts")) wrong.push(`${file} needs no browser`);
  }

  expect(wrong).toEqual([]);
});

test("browsers are started in one place", async () => {
  const starters: string[] = [];
  for (const file of new Glob("test/**/*.ts").scanSync(ROOT))
    if (/^import (?!type )[^;]*"playwright-core"/m.test(await readSource(file))) starters.push(file);

  expect(starters).toEqual(["test/pages/browser.ts"]);
});

test("a test's name has no kind but browser and slow", () => {
  const kinds = files.flatMap((file) => /\.([\w-]+)\.test\.ts$/.exec(file)?.[1] ?? []);

  expect([...new Set(kinds)].sort()).toEqual(["browser", "slow"]);
});
