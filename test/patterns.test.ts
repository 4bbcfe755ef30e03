import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "..");
const MOST = 120;

/** Matches a regular expression in the place of a value. Lines that only contain a comment are removed first. */
const LITERAL = /(?<=^|[(,=:[!&|?{};]|return)\s*\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[a-z]*/g;

/** Matches a string and the strings concatenated to it. */
const JOINED = /(["'`])(?:(?!\1)[^\\\n]|\\.)*\1(?:\s*\+\s*(["'`])(?:(?!\2)[^\\\n]|\\.)*\2)*/g;

/** Returns the regular expressions of a source that are too long to read: literals, and strings for `RegExp`. */
function longPatterns(source: string): string[] {
  const lines = source.split("\n").filter((line) => line.length > MOST && !/^\s*(?:\*|\/[*/] )/.test(line));
  const literals = lines.flatMap((line) => [...line.matchAll(LITERAL)].map(([match]) => match.trim()));
  const strings = source.includes("new RegExp(")
    ? [...source.matchAll(JOINED)].map(([match]) => match.replace(/(["'`])\s*\+\s*["'`]/g, ""))
    : [];
  return [...literals, ...strings].filter((pattern) => pattern.length > MOST);
}

test("no regular expression of the source is longer than 120 characters", async () => {
  const long: string[] = [];
  for (const file of new Glob("{src,db}/**/*.{ts,tsx}").scanSync(ROOT))
    for (const pattern of longPatterns(await Bun.file(join(ROOT, file)).text()))
      long.push(`${file}: ${pattern}`);

  expect(long).toEqual([]);
});

test.each([
  ["a literal", `const words = /${"a".repeat(120)}/g;`, 1],
  ["a literal in a call", `text.search(/[/"]${"a".repeat(120)}\\/b/u)`, 1],
  ["a string for RegExp", `const words = new RegExp("${"a".repeat(120)}");`, 1],
  [
    "a string in two parts for RegExp",
    `const words = "${"a".repeat(60)}" +\n  "${"b".repeat(61)}";\nnew RegExp(words);`,
    1,
  ],
  ["a path in a comment", `/** /api/${"a".repeat(120)}/ */`, 0],
  ["a long sentence", `throw new Error("${"a".repeat(60)}/${"b".repeat(60)}/");`, 0],
])("%s is reported only if it is a pattern", (_, source, count) => {
  expect(longPatterns(source)).toHaveLength(count);
});
