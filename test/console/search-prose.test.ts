import { describe, expect, test } from "bun:test";
import { chipName, chipsOf, withChip, withoutChip } from "../../src/console/app/screens/search/chips.ts";
import { added, cut, reword, ruledOut } from "../../src/console/app/screens/search/prose.ts";

const placesOf = (prose: string, words: string[]) =>
  words.map((word) => ({ start: prose.indexOf(word), end: prose.indexOf(word) + word.length }));

describe("taking words out of a brief leaves a sentence", () => {
  test.each([
    ["dark and moody techno", ["dark"], "moody techno"],
    ["dark, moody techno", ["moody"], "dark, techno"],
    ["techno with piano and strings", ["piano"], "techno with strings"],
    ["techno with piano", ["piano"], "techno"],
    ["very dark techno", ["dark"], "techno"],
    ["calm, no drums or bass", ["drums"], "calm, no bass"],
    ["calm, no drums or bass", ["bass"], "calm, no drums"],
    ["songs in Spanish, warm", ["Spanish"], "songs, warm"],
    ["dark, dark house", ["dark"], "dark house"],
    ["in the style of Burial, slow", ["Burial"], "slow"],
    ["calm", ["calm"], ""],
  ])("the brief “%s” without %p is a sentence", (prose, words, expected) => {
    expect(cut(prose, placesOf(prose, words))).toBe(expected);
  });
});

describe("changing words of a brief", () => {
  test("puts them in the same place", () => {
    const prose = "a dark techno track";
    expect(reword(prose, placesOf(prose, ["dark"]), "hopeful")).toBe("a hopeful techno track");
  });

  test("replaces what strengthened the old ones", () => {
    const prose = "a very dark track, dark and slow";
    const spans = [...placesOf(prose, ["dark"]), { start: 19, end: 23 }];
    expect(reword(prose, spans, "warm")).toBe("a warm track, slow");
  });

  test("adds wishes in front and exclusions at the end", () => {
    expect(added("no drums", "piano")).toBe("piano, no drums");
    expect(ruledOut("warm techno.", "drums")).toBe("warm techno, no drums");
    expect(ruledOut("", "drums")).toBe("no drums");
  });
});

describe("what must be available", () => {
  const prose = "dark techno, instrumental and stems available";
  const asked = { prose, constraints: {}, like: [], less: [] };
  const spans = [{ start: 13, end: 45 }];
  const said = ["instrumental", "stems"].map((value) => ({
    ...{ kind: "available", value, ruledOut: false, weight: 0.8, known: true, spans },
  }));
  const answer = { interpretation: { said } } as unknown as Parameters<typeof chipsOf>[1];
  const [instrumental, stems] = chipsOf(asked, answer, () => "");
  if (!instrumental || !stems) throw new Error("Both have chips");

  test("shows as chips of a kind of its own", () => {
    expect([instrumental, stems].map(chipName)).toEqual([
      "Available as: instrumental, edit",
      "Available as: stems, edit",
    ]);
  });

  test("leaves the others when one is taken out, and changes in the prose", () => {
    expect(withoutChip(asked, stems).prose).toBe("dark techno, instrumental available");
    expect(withChip(asked, instrumental, "30 s edit", "prefer")?.prose).toBe(
      "dark techno, 30 second edit and stems available",
    );
    const { beside: _, ...alone } = stems;
    const more = { ...alone, id: "new", spans: [] };
    expect(withChip({ ...asked, prose: "dark techno" }, more, "Stems available", "prefer")?.prose).toBe(
      "stems available, dark techno",
    );
  });
});
