import { describe, expect, test } from "bun:test";
import { ARTISTS, CAREFUL, GLOSSARIES, IDIOMS, linesOf, SITUATIONS, TAG_WORDS } from "../../db/lexicon.ts";
import { findTag, type TaxonomyCategory } from "../../db/taxonomy.ts";

describe("the lexicon", () => {
  test("knows several thousand words for tags", () => {
    const forms = Object.values(TAG_WORDS).flatMap((lines) => lines.flatMap((line) => [...line.forms]));
    expect(new Set(forms).size).toBeGreaterThan(3500);
    expect(SITUATIONS.flatMap(({ forms: scenes }) => scenes).length).toBeGreaterThan(300);
  });

  test.each(Object.entries(TAG_WORDS))("%s: every line names tags of the taxonomy", (category, lines) => {
    // `Object.entries` forgets the type of its keys.
    const unknown = lines.flatMap(({ heads }) =>
      heads.filter((head) => !findTag(category as TaxonomyCategory, head)),
    );
    expect(unknown).toEqual([]);
  });

  test("artists are listed under genres, careful words and idioms under their kinds", () => {
    expect(ARTISTS.flatMap(({ heads }) => heads.filter((head) => !findTag("genres", head)))).toEqual([]);
    expect(new Set(CAREFUL.flatMap(({ heads }) => heads))).toEqual(
      new Set(["alone", "degree", "music", "listed"]),
    );
    expect(new Set(IDIOMS.flatMap(({ heads }) => heads))).toEqual(new Set(["ignore"]));
  });

  test.each(Object.entries(GLOSSARIES))("%s: no form has two meanings", (_, lines) => {
    const forms = lines.flatMap(({ heads, forms: words }) =>
      words.map((word) => [word, heads.join()] as const),
    );
    const clashing = forms.filter(([word, head]) =>
      forms.some(([other, meaning]) => other === word && meaning !== head),
    );
    expect(clashing).toEqual([]);
  });

  test("reads comments, blank lines and several heads", () => {
    expect(linesOf("# note\n\nDark, Tense: gloomy, on edge\n")).toEqual([
      { heads: ["Dark", "Tense"], forms: ["gloomy", "on edge"] },
    ]);
    expect(() => linesOf("Dark gloomy")).toThrow("has no forms");
  });
});
