import { describe, expect, test } from "bun:test";
import { defineCategory, family } from "../../db/taxonomy/define.ts";
import { FILE_GENRES } from "../../db/taxonomy/file-genres.ts";
import { ID3_GENRES } from "../../db/taxonomy/id3-genres.ts";
import {
  CATEGORIES,
  findTag,
  foldTag,
  mapGenre,
  mapGenres,
  TAXONOMY,
  type TaxonomyCategory,
  type TaxonomyEntry,
  tagById,
  tempoForBpm,
} from "../../db/taxonomy.ts";

const LEAST_COUNTS: readonly [TaxonomyCategory, number][] = [
  ["genres", 220],
  ["moods", 90],
  ["instruments", 90],
  ["vocalTypes", 24],
  ["lyricThemes", 48],
  ["audioTypes", 16],
  ["tempos", 8],
  ["eras", 12],
  ["characters", 28],
  ["movements", 24],
];

/** ID3 and Winamp names that do not describe a genre, or could mean several unrelated ones. */
const UNMAPPED_ID3_GENRES = [
  "Oldies",
  "Other",
  "Pranks",
  "Vocal",
  "Instrumental",
  "Sound Clip",
  "Dream",
  "Cult",
  "Retro",
  "Revival",
  "Primus",
  "Duet",
  "Drum Solo",
  "A Cappella",
  "Crossover",
  "Eclectic",
  "Audiobook",
  "Audio Theatre",
  "Podcast",
];

const ALL_TAGS = CATEGORIES.flatMap((category) => [...TAXONOMY[category]]);

const names = (tags: readonly TaxonomyEntry[]) => tags.map((tag) => tag.name);

/** Returns the values that occur more than once. */
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe("the taxonomy", () => {
  test("lists its ten categories", () => {
    expect(Object.keys(TAXONOMY)).toEqual([...CATEGORIES]);
    expect(CATEGORIES).toHaveLength(10);
  });

  test("gives every tag a unique id", () => {
    expect(repeated(ALL_TAGS.map((tag) => tag.id))).toEqual([]);
    expect(findTag("genres", "Deep House")?.id).toBe("tag_genre_deep_house");
    expect(findTag("lyricThemes", "Road Trip")?.id).toBe("tag_lyric_theme_road_trip");
  });

  test("keeps ids and codes in a form that is safe in addresses and CSV", () => {
    const unsafe = ALL_TAGS.filter(
      ({ id, code, name }) =>
        !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code) || !id.endsWith(code) || name.includes(","),
    );

    expect(unsafe).toEqual([]);
  });

  test("finds a tag by its id", () => {
    expect(ALL_TAGS.filter((tag) => tagById(tag.id) !== tag)).toEqual([]);
    expect(tagById("tag_genre_none_such")).toBeUndefined();
  });

  test("keeps ampersands and apostrophes out of codes", () => {
    expect(findTag("genres", "Drum & Bass")?.code).toBe("drum_and_bass");
    expect(findTag("genres", "Children's Music")?.code).toBe("childrens_music");
    expect(findTag("genres", "R&B")?.code).toBe("rnb");
  });
});

describe.each(LEAST_COUNTS)("the category %s", (category, least) => {
  const tags = TAXONOMY[category];
  const codes = new Set(tags.map((tag) => tag.code));

  test(`has at least ${least} tags in display order`, () => {
    expect(tags.length).toBeGreaterThanOrEqual(least);
    expect(tags.map((tag) => tag.order)).toEqual([...tags.keys()]);
  });

  test("repeats no name and no code, in any case", () => {
    expect(repeated(tags.map((tag) => tag.name.toLowerCase()))).toEqual([]);
    expect(repeated(tags.map((tag) => foldTag(tag.name)))).toEqual([]);
    expect(repeated(tags.map((tag) => tag.code))).toEqual([]);
  });

  test("gives each spelling to only one tag", () => {
    const spellings = tags.flatMap(({ name, aliases = [] }) => [...new Set([name, ...aliases].map(foldTag))]);

    expect(repeated(spellings)).toEqual([]);
    expect(spellings).not.toContain("");
  });

  test("writes aliases in lower case without stray blanks", () => {
    const aliases = tags.flatMap((tag) => tag.aliases ?? []);

    expect(aliases.filter((alias) => alias !== alias.toLowerCase().trim() || alias.includes(","))).toEqual(
      [],
    );
  });

  test("relates, opposes and nests only existing tags", () => {
    const mentioned = tags.flatMap(({ parent, related = [], opposites = [] }) => [
      ...(parent ? [parent] : []),
      ...related,
      ...opposites,
    ]);

    expect(mentioned.filter((code) => !codes.has(code))).toEqual([]);
  });

  test("has symmetric relations and opposites, and never both for a pair", () => {
    const byCode = new Map(tags.map((tag) => [tag.code, tag]));
    const oneSided = tags.flatMap(({ code, related = [], opposites = [] }) => [
      ...related.filter((other) => !byCode.get(other)?.related?.includes(code)),
      ...opposites.filter((other) => !byCode.get(other)?.opposites?.includes(code)),
    ]);
    const contradictory = tags.filter(({ related = [], opposites = [] }) =>
      opposites.some((other) => related.includes(other)),
    );
    const selfish = tags.filter(({ code, related, opposites, parent }) =>
      [...(related ?? []), ...(opposites ?? []), parent].includes(code),
    );

    expect(oneSided).toEqual([]);
    expect(names(contradictory)).toEqual([]);
    expect(names(selfish)).toEqual([]);
  });

  test("nests one level at most", () => {
    const parents = new Set(tags.flatMap((tag) => tag.parent ?? []));

    expect(tags.filter((tag) => tag.parent && parents.has(tag.code))).toEqual([]);
  });

  test("keeps valence, arousal and tempo in range", () => {
    const outside = (value: number | undefined) => value !== undefined && !(Math.abs(value) <= 1);
    const wrong = tags.filter(
      ({ valence, arousal, bpmRange: [low, high] = [0, 1] }) =>
        outside(valence) || outside(arousal) || !(low >= 0 && low < high && high <= 999),
    );

    expect(names(wrong)).toEqual([]);
  });
});

describe("affect", () => {
  test("is known for every mood, character, movement and genre", () => {
    const tags = [TAXONOMY.moods, TAXONOMY.characters, TAXONOMY.movements, TAXONOMY.genres].flat();

    expect(names(tags.filter((tag) => tag.valence === undefined || tag.arousal === undefined))).toEqual([]);
  });

  test("sets opposite moods apart", () => {
    const byCode = new Map(TAXONOMY.moods.map((mood) => [mood.code, mood]));
    const close = TAXONOMY.moods.flatMap((mood) =>
      (mood.opposites ?? []).filter((code) => {
        const other = byCode.get(code);
        const [dv, da] = [
          (mood.valence ?? 0) - (other?.valence ?? 0),
          (mood.arousal ?? 0) - (other?.arousal ?? 0),
        ];
        return Math.hypot(dv, da) < 0.5;
      }),
    );

    expect(close).toEqual([]);
  });
});

describe("defineCategory", () => {
  test("makes relations written on one side symmetric", () => {
    const [parent, child, other] = defineCategory("x", [
      ...family([{ name: "One & All" }, { name: "Two", near: "three" }]),
      { name: "Three" },
    ]);

    expect(parent).toEqual({ id: "tag_x_one_and_all", name: "One & All", code: "one_and_all", order: 0 });
    expect(child).toMatchObject({ code: "two", parent: "one_and_all", related: ["three"] });
    expect(other?.related).toEqual(["two"]);
  });

  test("refuses a relation with an unknown code", () => {
    expect(() => defineCategory("x", [{ name: "One" }], { opposites: ["one two"] })).toThrow("two");
    expect(() => defineCategory("x", [{ name: "One", near: "none" }])).toThrow("none");
  });
});

describe("findTag", () => {
  test("takes a name in any case and returns the canonical tag", () => {
    expect(findTag("genres", "dEEP hOUSE")?.name).toBe("Deep House");
    expect(findTag("vocalTypes", "instrumental")?.name).toBe("Instrumental");
  });

  test.each([
    ["an alias", "genres", "dnb"],
    ["another spelling", "genres", "hip-hop"],
    ["a name of another category", "moods", "Deep House"],
  ] as const)("does not take %s for a name", (_, category, name) => {
    expect(findTag(category, name)).toBeUndefined();
  });
});

describe("foldTag", () => {
  test.each(["Drum & Bass", "drum'n'bass", "DRUM AND BASS", "Drum n Bass", "drum-and-bass", "drum+bass"])(
    "reads %s as one spelling",
    (text) => {
      expect(foldTag(text)).toBe("drumandbass");
    },
  );

  test("drops accents", () => {
    expect(foldTag("Musique Concrète")).toBe("musiqueconcrete");
  });
});

describe("tempoForBpm", () => {
  test("leaves no gap and no overlap between the tempo classes", () => {
    const bounds = TAXONOMY.tempos.map((tempo) => tempo.bpmRange ?? [Number.NaN, Number.NaN]);

    expect(bounds.map(([low]) => low)).toEqual([0, ...bounds.slice(0, -1).map(([, high]) => high)]);
    expect(bounds.at(-1)?.[1]).toBe(999);
  });

  test.each([
    [0, "Very Slow"],
    [59.9, "Very Slow"],
    [60, "Slow"],
    [84, "Medium Slow"],
    [100, "Medium"],
    [120, "Medium Fast"],
    [128, "Fast"],
    [174, "Very Fast"],
    [999, "Extremely Fast"],
  ])("puts %d BPM into its class", (bpm, name) => {
    expect(tempoForBpm(bpm).name).toBe(name);
  });

  test.each([-1, 999.1, Number.NaN])("refuses %d BPM", (bpm) => {
    expect(() => tempoForBpm(bpm)).toThrow(RangeError);
  });
});

describe("genres carried by files", () => {
  test("include all 192 numbered ID3 genres except the named exceptions", () => {
    const unmapped = ID3_GENRES.filter((name) => mapGenres([name]).length === 0);

    expect(ID3_GENRES).toHaveLength(192);
    expect(unmapped).toEqual(UNMAPPED_ID3_GENRES);
    expect(unmapped.length / ID3_GENRES.length).toBeLessThanOrEqual(0.1);
  });

  test("are numbered as in ID3", () => {
    const numbered = [0, 17, 35, 79, 125, 127, 147, 191].map((number) => ID3_GENRES[number]);

    expect(numbered).toEqual([
      "Blues",
      "Rock",
      "House",
      "Hard Rock",
      "Dance Hall",
      "Drum & Bass",
      "Synthpop",
      "Psybient",
    ]);
  });

  test("are the same for a name, its number and its number in brackets", () => {
    const differing = ID3_GENRES.filter((name, number) => {
      const byName = JSON.stringify(mapGenres([name]));
      return [`${number}`, `(${number})`].some((text) => JSON.stringify(mapGenres([text])) !== byName);
    });

    expect(differing).toEqual([]);
  });

  test("map to existing genres, and never repeat a name or alias", () => {
    const codes = new Set(TAXONOMY.genres.map((genre) => genre.code));
    const spellings = new Set(
      TAXONOMY.genres.flatMap(({ name, aliases = [] }) => [name, ...aliases].map(foldTag)),
    );

    expect(
      Object.values(FILE_GENRES)
        .flat()
        .filter((code) => !codes.has(code)),
    ).toEqual([]);
    expect(Object.keys(FILE_GENRES).filter((text) => spellings.has(foldTag(text)))).toEqual([]);
  });

  test.each([
    ["a plain name", "Deep House", ["Deep House"]],
    ["another spelling", "Drum'n'Bass", ["Drum & Bass"]],
    ["an abbreviation", "DnB", ["Drum & Bass"]],
    ["a spelled-out ampersand", "r and b", ["R&B"]],
    ["a bracketed number", "(17)", ["Rock"]],
    ["several bracketed numbers", "(4)(31)", ["Disco", "Trance"]],
    ["a number refined by a name", "(18)Minimal Techno", ["Techno", "Minimal Techno"]],
    ["a number with an unknown refinement", "(18)Zorblecore", ["Techno"]],
    ["remix and cover marks", "(RX)(CR)", []],
    ["a path", "Electronic/House", ["Electronic", "House"]],
    ["a slash inside a known name", "Folk/Rock", ["Folk Rock"]],
    ["a shop's pair", "Hip-Hop/Rap", ["Hip Hop", "Rap"]],
    ["semicolons", "Soul; Funk;  Disco", ["Soul", "Funk", "Disco"]],
    ["a list with a conjunction", "Folk, World, & Country", ["Folk", "World", "Country"]],
    ["NUL-separated numbers", "4\x0031", ["Disco", "Trance"]],
    ["a pair joined by an ampersand", "Soul & Funk", ["Soul", "Funk"]],
    ["two genres under one shop name", "Melodic House & Techno", ["Melodic House", "Melodic Techno"]],
    ["a remark in brackets", "Techno (Peak Time / Driving)", ["Techno"]],
    ["a tempo that is not a genre number", "140 / Deep Dubstep / Grime", ["Dubstep", "Grime"]],
    ["a repeated genre", "House/house music", ["House"]],
    ["a pair with one unknown half", "Rock & Chips", []],
    ["an unknown name", "Zorblecore", []],
    ["a number past the table", "(192)", []],
    ["only part of a known name", "Hous", []],
    ["a value far too long", `House;${"(".repeat(100_000)}`, []],
    ["nothing", "", []],
  ])("the genres of a file are read from %s", (_, text, expected) => {
    expect(names(mapGenres([text]))).toEqual(expected);
  });

  test("come in the order of the file without repeats", () => {
    expect(names(mapGenres(["Techno", "Unknown", "18", "House"]))).toEqual(["Techno", "House"]);
  });

  test("are limited to the first when one is requested", () => {
    expect(mapGenre("Electronic/House")?.code).toBe("electronic");
    expect(mapGenre("Other")).toBeUndefined();
  });
});
