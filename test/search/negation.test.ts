import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { misreadBriefs } from "../../lab/eval-briefs.ts";
import { parseBrief } from "../../src/brief/read.ts";

function read(query: string) {
  const found = parseBrief(query, { findArtist: () => undefined });
  const names = (wishes: typeof found.wanted) =>
    wishes.flatMap(({ tags }) => tags.map(({ entry }) => entry.name));
  return { ...found, wanted: names(found.wanted), unwanted: names(found.unwanted) };
}

test.each([2, 3, 4])(
  "what the briefs of negation-%d refuse, want and leave open is understood",
  async (batch) => {
    expect(await misreadBriefs(join(import.meta.dir, `briefs/negation-${batch}.jsonl`))).toEqual([]);
  },
);

describe("a negation reaches as far as its clause", () => {
  test.each([
    ["folk is ok, bluegrass is not", ["Folk"], ["Bluegrass"]],
    ["jazz is fine, swing isn't", ["Jazz"], ["Swing"]],
    ["guitars are welcome, banjos are not", ["Guitar"], ["Banjo"]],
    ["techno is great, trance not so much", ["Techno"], ["Trance"]],
    ["harp okay, bells no", ["Harp"], ["Bells"]],
    ["bluegrass is not allowed, folk is", ["Folk"], ["Bluegrass"]],
    ["no rapping but female vocals are fine", ["Female Vocals"], ["Rap"]],
    ["no screaming, though a choir is fine", ["Choir"], ["Screamed"]],
    ["no piano unless it is soft", ["Soft"], ["Piano"]],
    ["soul, and no more jazz with a saxophone", ["Soul"], ["Jazz", "Saxophone"]],
    ["we are tired of techno with bells, soul please", ["Soul"], ["Techno", "Bells"]],
    ["no jazz with a warm piano", ["Warm", "Piano"], ["Jazz"]],
    ["ambient. They sent me a cello, and with love, no.", ["Ambient"], ["Cello"]],
    ["soul. My brother offered a banjo, sorry, no.", ["Soul"], ["Banjo"]],
  ])("a negation reaches as far as its clause: %s", (query, wanted, unwanted) => {
    const found = read(query);

    expect(found.wanted).toEqual(expect.arrayContaining(wanted));
    expect(found.unwanted).toEqual(unwanted);
    expect(found.vocalPreference).not.toBe("instrumental");
  });
});

describe("two negations of one clause ask for what they deny", () => {
  test.each([
    ["nothing without drums", "Drums"],
    ["don't send me anything without a piano", "Piano"],
    ["never without strings", "Strings"],
    ["I can't do without a saxophone", "Saxophone"],
    ["no tracks that aren't sad", "Sad"],
    ["nothing lacking brass please", "Brass"],
    ["not without hope", "Hopeful"],
  ])("two negations ask for their name: %s", (query, wanted) => {
    expect(read(query)).toMatchObject({ wanted: [wanted], unwanted: [] });
  });

  test("each negation of a list excludes", () => {
    expect(read("no drums, nothing with guitars and without brass").unwanted).toEqual([
      "Drums",
      "Guitar",
      "Brass",
    ]);
  });
});

describe("a question asks for what it seems to deny", () => {
  test.each([
    ["isn't there anything happy?", "Happy"],
    ["aren't there any sad ballads?", "Sad"],
    ["don't you have something dark?", "Dark"],
    ["can't we have some reggae", "Reggae"],
    ["why is there nothing funky", "Groovy"],
  ])("a question asks for its name: %s", (query, wanted) => {
    const found = read(query);

    expect(found.wanted).toContain(wanted);
    expect(found.unwanted).toEqual([]);
  });
});

test.each([
  "nobody singing",
  "no one singing please",
  "piano, nobody is rapping or singing",
  "no one who sings",
  "no one should be rapping",
])("a brief asks for no voice: %s", (query) => {
  expect(read(query).vocalPreference).toBe("instrumental");
});

test("an answer belongs to its question", () => {
  expect(read("techno. vocals? not needed")).toMatchObject({ wanted: ["Techno"], vocalPreference: null });
});

describe("a description keeps its own meaning before a thing", () => {
  test.each([
    ["epic choir", ["Epic", "Choir"]],
    ["heroic horns", ["Heroic", "French Horn"]],
    ["epic drums", ["Epic", "Taiko"]],
    ["glassy synths", ["Bright", "Synth"]],
    ["jangly guitars", ["Bright", "Guitar"]],
    ["major key folk", ["Folk"]],
    ["minor key dance", ["Dance"]],
  ])("a description keeps its meaning: %s", (query, wanted) => {
    expect(read(query).wanted).toEqual(expect.arrayContaining(wanted));
  });

  test("a key keeps its mode before a thing", () => {
    expect(read("major key folk").keyMode).toBe("major");
  });
});

test.each([
  ["indy pop", "Indie Pop"],
  ["tekno, slow", "Techno"],
  ["indy rock", "Indie Rock"],
  ["jazzie piano", "Jazz"],
])("%s sounds like %s", (query, genre) => {
  expect(read(query).wanted).toContain(genre);
});

describe("names in lower case", () => {
  test.each([
    ["sounds like lumen vale", ["lumen vale"]],
    ["sounds like lumen vale but slower", ["lumen vale"]],
    ["in the vein of zbigniew preisner and ossian hale, no drums", ["zbigniew preisner", "ossian hale"]],
    ["something like yara quist with female vocals", ["yara quist"]],
    ["similar to paniq", ["paniq"]],
    ["im stil von ossian hale", ["ossian hale"]],
    ["dans le style de yara quist", ["yara quist"]],
    ["久石譲のような静かなピアノ曲", ["久石譲"]],
  ])("a name in lower case is read from: %s", (query, names) => {
    expect(read(query).references.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    "sounds like a storm",
    "sounds like rain on a window",
    "in the style of balinese gamelan",
    "in the vein of early summer mornings",
    "inspired by nature",
    "evokes nostalgia and longing",
    "along the lines of what we had",
  ])("no name is read from: %s", (query) => {
    expect(read(query).references).toEqual([]);
  });
});

test.each([
  ["avoid 4/4", "inFour"],
  ["techno, nothing in 3/4", "inThree"],
  ["skip 6/8", "inSix"],
])("what is stored about a track is ruled out: %s", (query, fact) => {
  const { filters } = parseBrief(query, { findArtist: () => undefined, now: Date.UTC(2026, 10, 27) });

  expect(filters.facts).toEqual([{ fact, isNot: true }] as typeof filters.facts);
});
