import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { readSource, sourceFiles } from "./support/source.ts";

const ROOT = join(import.meta.dir, "..");
/** Licences of packages that an MIT program may ship; OFL-1.1 is for fonts. */
const PERMISSIVE =
  /^(MIT(-0)?|ISC|Apache(-2\.0)?|BSD-[23]-Clause|0BSD|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|OFL-1\.1)$/;

/** States MIT only in its Readme.md; a dependency of tus-js-client. */
const WITHOUT_FIELD = new Map([["combine-errors", "MIT"]]);

type Package = {
  name: string;
  license?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

const readPackage = (folder: string): Package =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Finds an installed package like the runtime: in the nearest `node_modules` above the importing folder. */
function folderOf(name: string, from: string): string {
  const candidate = join(from, "node_modules", name);
  if (existsSync(candidate)) return candidate;
  if (from === dirname(from)) throw new Error(`${name} is not installed`);
  return folderOf(name, dirname(from));
}

/** Returns every package that ships: all direct and indirect dependencies. */
function shipped(folder = ROOT, found = new Map<string, Package>()): Map<string, Package> {
  for (const name of Object.keys(readPackage(folder).dependencies ?? {})) {
    const where = folderOf(name, folder);
    if (found.has(where)) continue;
    found.set(where, readPackage(where));
    shipped(where, found);
  }
  return found;
}

test("decision 0001 lists every dependency with its licence", () => {
  const record = readFileSync(join(ROOT, "docs/decisions/0001-packages.md"), "utf8");
  const listed = [...record.matchAll(/^\| `([^`]+)` [^|]*\| ([^|]+) \|/gm)].map(([, name, licence]) => [
    name,
    licence,
  ]);

  const { dependencies = {} } = readPackage(ROOT);

  const carried = Object.keys(dependencies).map((name) => [name, readPackage(folderOf(name, ROOT)).license]);
  expect(listed).toEqual(carried.sort(([a = ""], [b = ""]) => a.localeCompare(b)));
});

test("no shipped package has a licence that requires more than a notice", () => {
  const packages = [...shipped().values()];

  const others = packages.filter(({ name, license = WITHOUT_FIELD.get(name) ?? "none" }) => {
    const choices = license.replace(/[()]/g, "").split(" OR ");
    return !choices.some((choice) => choice.split(" AND ").every((each) => PERMISSIVE.test(each)));
  });

  expect(packages.length).toBeGreaterThan(20);
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test("what only the lab needs is not installed with the program", () => {
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");

  const { dependencies, devDependencies } = readPackage(join(ROOT, "lab"));

  const names = Object.keys({ ...dependencies, ...devDependencies });
  expect(names).toContain("essentia.js");
  expect(names.filter((name) => lock.includes(`"${name}"`))).toEqual([]);
});

test("neither a script of package.json nor a source reads anything beside the checkout", async () => {
  const { scripts = {} } = readPackage(ROOT);
  const outside = Object.values(scripts).filter((script) => script.includes("../"));
  for (const file of [...sourceFiles, ...new Glob("{test,packaging}/**/*.ts").scanSync(ROOT)]) {
    const paths = (await readSource(file)).matchAll(/import\.meta\.dir(?:name)?, ((?:"[^"]*"(?:, )?)+)/g);
    for (const [, words = ""] of paths) {
      const path = join(dirname(file), ...words.matchAll(/"([^"]*)"/g).map(([, word = ""]) => word));
      if (path.startsWith("..")) outside.push(`${file}: ${path}`);
    }
  }

  expect(outside).toEqual([]);
});
