import { describe, expect, test } from "bun:test";
import { findMoves } from "../../src/brief/moves.ts";
import { MEASURES } from "../../src/kernel/measures.ts";
import { orderText } from "../../src/modules/search/search/answer/stated.ts";
import { readSource, sourceFiles } from "../support/source.ts";

const ORDERED = MEASURES.filter((measure) => "order" in measure);

describe("a measure of search", () => {
  test("is named in one file of what reads briefs, searches and answers", async () => {
    const readers: string[] = [];
    for (const file of sourceFiles.filter((each) => /^src\/(brief|kernel|modules\/search|mcp)\//.test(each)))
      if (/\b(?:brightness|brighter)\b/.test(await readSource(file))) readers.push(file);

    // The document lists old names before new ones, in the same file.
    expect(readers).toEqual(["src/kernel/measures.ts"]);
  });

  test.each(MEASURES)("$name moves by the words that answers have for it", ({ name, comparatives }) => {
    const moves = comparatives.map((word) => findMoves(`like Night Ferry but ${word}`));

    expect(moves).toMatchObject([[{ dimension: name, way: "less" }], [{ dimension: name, way: "more" }]]);
  });

  test.each(MEASURES)("$name is explained in docs/search.md, with its part of a score", async (measure) => {
    const page = await readSource("docs/search.md");
    const [less, more] = measure.comparatives;

    const moved = page.split("\n").find((line) => line.includes(`| \`${measure.name}\` |`));
    const counted = page.split("\n").find((line) => line.startsWith("| `tempo`, `duration`"));

    expect(moved).toContain(more);
    expect(moved).toContain(less);
    expect(counted).toContain(`\`${measure.channel}\``);
  });

  test.each(ORDERED)("the console offers to order by $field, both ways", async ({ field }) => {
    const values = await readSource("src/console/app/screens/search/values.ts");

    for (const direction of ["asc", "desc"] as const)
      expect(values).toContain(`"${orderText({ by: field, direction })}"`);
  });
});
