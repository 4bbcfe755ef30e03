import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { madeOnce } from "./support/made-once.ts";
import { ROOT } from "./support/source.ts";

mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(join(ROOT, "node_modules/.cache/dubplate-sources-"));
const made = new Set<string>();
afterAll(() => {
  for (const path of [folder, ...made]) rmSync(path, { recursive: true, force: true });
});

/** Makes a file whose text is how often it was made. */
async function count(source: string, times: string[]): Promise<string> {
  const sources = [relative(ROOT, source)];
  const path = await madeOnce("count", sources, (to) => {
    times.push(to);
    writeFileSync(to, String(times.length));
  });
  made.add(dirname(path));
  return readFileSync(path, "utf8");
}

test("what many tests use is made once, until one of its sources changes", async () => {
  const source = join(folder, "words.txt");
  const times: string[] = [];
  writeFileSync(source, "one");

  const first = [await count(folder, times), await count(folder, times)];
  writeFileSync(source, "two");
  // Known for the time of this process, in which nobody changes the program: asked as another one would.
  const second = await count(source, times);

  expect([first, second]).toEqual([["1", "1"], "2"]);
});

test("what two make at once is one of both, whole, and no draft is left", async () => {
  const source = join(folder, "at-once.txt");
  writeFileSync(source, "at once");
  const times: string[] = [];

  const both = await Promise.all([count(source, times), count(source, times)]);

  expect(new Set(both).size).toBeLessThanOrEqual(2);
  for (const path of made) expect(readdirSync(path)).toEqual(["count"]);
});
