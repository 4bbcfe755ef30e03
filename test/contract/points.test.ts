import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { ROOT } from "../support/source.ts";

const CODE_AND_DOCS = "{src,db,scripts,lab,packaging,test,docs}/**/*.{ts,tsx,md,yml}";

const read = (path: string) => Bun.file(join(ROOT, path)).text();

/** Returns the points that a text cites: "decision 4.38", "decisions 6.1 and 6.8", "decisions 4.10 to 4.14". */
function pointsCitedIn(text: string): string[] {
  const onOneLine = text.replace(/\n\s*(\*|\/\/)?\s*/g, " ");
  const lists = onOneLine.matchAll(/\bdecisions? \(?(\d\.\d+(?:(?:,| and| or| to) \d\.\d+)*)/gi);
  return [...lists].flatMap(([, list = ""]) => list.split(/, | and | or /).flatMap(pointsOf));
}

/** Returns one point, or each of a range: "4.10 to 4.12" is three. */
function pointsOf(text: string): string[] {
  const [, section, first, last = first] = /^(\d)\.(\d+)(?: to \d\.(\d+))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`);
}

describe("docs/contract.md", () => {
  test("answers every point of the contract that code or docs cite", async () => {
    const contract = await read("docs/contract.md");
    const files = [...new Glob(CODE_AND_DOCS).scanSync(ROOT)].filter(
      (file) => !file.includes("node_modules/"),
    );

    const cited = await Promise.all(
      files.map(async (file) => pointsCitedIn(await read(file)).map((point) => ({ file, point }))),
    );

    expect(cited.flat().length).toBeGreaterThan(100);
    expect(cited.flat().filter(({ point }) => !contract.includes(`\n| ${point} | `))).toEqual([]);
  });

  test("has each point once, in order, in the section of its number", async () => {
    const numbers = (await read("docs/contract.md")).matchAll(/^(?:## |\| )(\d)(?:\.(\d+) \|| )/gm);
    const found = [...numbers].map(([, section, point]) => 100 * Number(section) + Number(point ?? -1));

    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
  });
});

test("points are found across lines, in lists and in ranges, and records of the house are none", () => {
  const cited = pointsCitedIn(
    "(decisions\n * 4.38, 6.1 and 2.4). Decision (0.1), decisions 4.10 to 4.12; decision 0033, 9; version 2.1",
  );

  expect(cited).toEqual(["4.38", "6.1", "2.4", "0.1", "4.10", "4.11", "4.12"]);
});
