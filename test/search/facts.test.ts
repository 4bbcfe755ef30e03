import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { FactWish, FindPerson } from "../../src/brief/fact-wish.ts";
import { FACT_WORDS, UNASKED } from "../../src/brief/fact-words.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { CERTAIN, PLACED_NAMES, type PlacedName } from "../../src/ears/places.ts";
import type { FactRow } from "../../src/kernel/fact-row.ts";
import { FACTS, type FactName } from "../../src/kernel/facts.ts";
import { putHeardPassages } from "../../src/modules/library/analysis/places/store.ts";
import { factText, UNASKED_TEXTS } from "../../src/modules/search/search/facts/texts.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { addMember } from "../support/team.ts";

/** A Sunday afternoon. */
const NOW = Date.UTC(2026, 10, 22, 15);
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe("a search for stored facts", () => {
  let app: TestApp;
  let key: string;
  let owner: string;
  let ida: ReturnType<TestApp["signedIn"]>;
  beforeAll(async () => {
    app = await createTestApp();
    app.clock.advance(NOW - app.clock.now());
    const account = app.createAccount();
    owner = account.accountId;
    ida = app.signedIn(account.token);
    key = app.createKey(owner);
    const ids = addTracks(app, owner, [
      {
        title: "Ash",
        artist: "Mo",
        lyrics: "a line",
        notes: "second take",
        createdAt: day("2026-05-01"),
        tags: { moods: ["Dark"], instruments: ["Piano", "Strings"] },
      },
      {
        title: "Birch",
        createdAt: day("2026-09-01"),
        tags: { moods: ["Dark"], instruments: ["Acoustic Guitar", "Strings"], vocals: ["Female Vocals"] },
      },
      { title: "Without a Cover", createdAt: day("2026-10-01") },
    ]);
    plant(app, owner, ids);
  });
  afterAll(() => app.close());

  const search = async (query: string, asked = key) => {
    const { status, body } = await app.as(asked)("POST", "/tracks/search", { query });
    expect(status).toBe(200);
    return body.data;
  };
  const titles = ({ results }: { results: { title: string }[] }) => results.map(({ title }) => title);

  const ASKED: Readonly<Record<FactName, readonly (readonly [query: string, titles: string])[]>> = {
    cover: [
      ["with a cover", "A"],
      ["missing artwork", "BW"],
      ["ジャケットなし", "BW"],
    ],
    notes: [
      ["with notes", "A"],
      ["no notes", "BW"],
    ],
    album: [
      ["with an album", "A"],
      ["album missing", "BW"],
    ],
    artist: [
      ["artist missing", "BW"],
      ["missing the artist name", "BW"],
    ],
    lyrics: [
      ["missing lyrics", "BW"],
      ["dark, lyrics missing", "B"],
    ],
    timedLyrics: [
      ["with synced lyrics", "A"],
      ["without timed lyrics", "BW"],
    ],
    isrc: [
      ["no ISRC", "BW"],
      ["that have an ISRC code", "A"],
    ],
    year: [
      ["year missing", "BW"],
      ["missing the year", "BW"],
    ],
    recordLabel: [
      ["without a label", "BW"],
      ["with a record label", "A"],
    ],
    iswc: [
      ["with an ISWC", "A"],
      ["ISWC is missing", "BW"],
    ],
    barcode: [
      ["no barcode", "BW"],
      ["has a UPC", "A"],
    ],
    releaseDate: [
      ["with a release date", "A"],
      ["without release date", "BW"],
    ],
    copyrightLine: [
      ["with a copyright line", "A"],
      ["no p-line", "BW"],
    ],
    explicit: [
      ["explicit", "A"],
      ["not explicit", "BW"],
    ],
    madeWithAi: [
      ["made with AI", "A"],
      ["no AI", "BW"],
    ],
    splitsComplete: [
      ["splits complete", "A"],
      ["without splits", "BW"],
    ],
    lossless: [
      ["lossless", "AW"],
      ["lossy files", "B"],
    ],
    cutShort: [
      ["truncated", "B"],
      ["cut short", "B"],
    ],
    hidden: [
      ["hidden tracks", "B"],
      ["not hidden", "AW"],
    ],
    duplicate: [
      ["duplicates", "AB"],
      ["no duplicates", "W"],
    ],
    inSet: [
      ["in a set", "A"],
      ["not in a set", "BW"],
    ],
    inFour: [
      ["in 4/4", "W"],
      ["not in 4/4", "AB"],
    ],
    inThree: [
      ["in three", "A"],
      ["dark ballad in three with piano", "A"],
    ],
    inSix: [
      ["in 6/8", "B"],
      ["six-eight", "B"],
    ],
    inFive: [["in 5/4", ""]],
    inSeven: [["seven-eight", ""]],
    swung: [
      ["swung", "A"],
      ["not swung", "BW"],
    ],
    shortIntro: [
      ["short intro", "A"],
      ["dark, no intro", "A"],
    ],
    withBreak: [["has a breakdown", "A"]],
    earlyDrop: [["drop in the first minute", "A"]],
    lateDrop: [["drop after a minute", "B"]],
    wav: [
      ["wav files", "A"],
      ["WAVs", "A"],
    ],
    aiff: [
      ["aiff", "W"],
      ["aif files", "W"],
    ],
    flac: [
      ["flac files", ""],
      ["FLACs", ""],
    ],
    mp3: [
      ["mp3s", "B"],
      ["only mp3 files", "B"],
    ],
    lufs: [
      ["louder than -8 LUFS", "B"],
      ["below -14 LUFS", "W"],
    ],
    truePeak: [
      ["true peak above -1 dBTP", "AB"],
      ["highest true peak", "BAW"],
    ],
    loudnessRange: [
      ["loudness range over 8 LU", "W"],
      ["most dynamic", "WAB"],
    ],
    sampleRate: [
      ["48 kHz", "A"],
      ["sample rate above 48 kHz", "W"],
    ],
    bitDepth: [
      ["24 bit", "A"],
      ["less than 24 bit", "B"],
    ],
    bitrate: [
      ["below 400 kbps", "B"],
      ["lowest bitrate", "BAW"],
    ],
    channels: [
      ["1 channel", "B"],
      ["more than one channel", "AW"],
    ],
    size: [
      ["bigger than 50 MB", "W"],
      ["smallest files", "BAW"],
    ],
    beginsWith: [
      ["starts with piano", "A"],
      ["dark, with a piano intro", "A"],
      ["opens with a guitar", "B"],
      ["does not begin with drums", "AB"],
      ["doesn't start with piano", "B"],
      ["starts with piano or guitar", "AB"],
      ["starts with piano and guitar", ""],
    ],
    endsWith: [
      ["ends with strings", "A"],
      ["ends with vocals", "B"],
      ["beginnt mit Klavier, endet mit Streichern", "A"],
    ],
    played: [
      ["most played", "AWB"],
      ["more than five plays", "A"],
      ["再生回数の多い順", "AWB"],
      ["played by Bo", "A"],
      ["not played since October", "BW"],
    ],
    downloaded: [
      ["downloaded by Bo", "A"],
      ["never downloaded", "BW"],
    ],
    opened: [
      ["never opened by Bo", "BW"],
      ["opened in October", "A"],
    ],
    saved: [
      ["liked tracks", "B"],
      ["saved last month", "B"],
    ],
    sent: [
      ["sent last month", "A"],
      ["dark, never sent to anybody", "B"],
      ["sent to Bo", "A"],
      ["sent to Bo but not to Ana", "A"],
      ["sent to Bo or Ana last month", "A"],
      ["sent to Bo and Ana", ""],
      ["未送信", "B"],
    ],
    interested: [
      ["already answered with interest", "A"],
      ["no interested answers", "BW"],
    ],
    passedOn: [
      ["turned down by Ana", "B"],
      ["passed on this month", "B"],
    ],
    delivered: [
      ["delivered to Cargo", "A"],
      ["never delivered", "BW"],
    ],
    submitted: [
      ["submitted by Kim", "W"],
      ["handed in last month", "W"],
    ],
    commented: [
      ["commented on by Ana", "AB"],
      ["most comments", "ABW"],
    ],
    openComments: [
      ["with open comments", "A"],
      ["no unanswered comments", "BW"],
    ],
    approved: [
      ["approved", "A"],
      ["not approved yet", "BW"],
    ],
    changesAsked: [
      ["with changes requested", "B"],
      ["no change requests", "AW"],
    ],
    written: [
      ["composed by Ana", "A"],
      ["without composers", "BW"],
    ],
    uploaded: [
      ["uploaded by Ida", "A"],
      ["not uploaded by Ida", "BW"],
    ],
    changed: [
      ["changed this week", "A"],
      ["unchanged since October", "BW"],
    ],
    versions: [
      ["more than one version", "A"],
      ["new version since Tuesday", "A"],
      ["most versions", "AWB"],
    ],
    playlists: [
      ["on the playlist Summer", "A"],
      ["on no playlist", "BW"],
    ],
    albums: [
      ["on the album Dusk", "B"],
      ["not on any album", "AW"],
    ],
  };
  const LETTERS: Readonly<Record<string, string>> = { A: "Ash", B: "Birch", W: "Without a Cover" };
  const ORDERS = /^(?:most|highest|lowest|smallest|再生)/;

  test.each([
    ["explicit or truncated", ["Ash", "Birch"]],
    ["neither ISRC nor cover", ["Birch", "Without a Cover"]],
    ["approved by Ana that aren't on an album", ["Ash"]],
    ["not sent for a month, with no ISRC or cover", ["Birch", "Without a Cover"]],
    ["sent to nobody but Bo", ["Ash"]],
    ["opened by everybody except Bo", []],
    ["mono files", ["Birch"]],
    ["played at least twice but fewer than ten times", ["Ash"]],
    ["commented on by Ana and downloaded by Bo", ["Ash"]],
  ])("several facts are met together: “%s”", async (query, wanted) => {
    expect(titles(await search(query)).toSorted()).toEqual(wanted);
  });

  test("an order counts within the time and the person that it names", async () => {
    const inOctober = await search("most played in October");
    const inMay = await search("most played by Bo in May");

    expect(inOctober.interpretation.ordering).toEqual({
      ...{ by: "played", direction: "desc" },
      ...{ after: "2026-10-01T00:00:00.000Z", before: "2026-11-01T00:00:00.000Z" },
    });
    expect(inOctober.results[0].reason).toContain("7 plays");
    expect(inMay.interpretation.ordering).toMatchObject({ who: "Bo", after: "2026-05-01T00:00:00.000Z" });
    expect(JSON.stringify(inMay.results)).not.toContain("7 plays");
  });

  test("what you listened to yourself is not kept, which it says", async () => {
    expect((await search("anything I haven't listened to")).interpretation.unasked).toEqual([
      UNASKED_TEXTS.own,
    ]);
  });

  test("a title is a title, and what is in quotation marks asks for no fact", async () => {
    expect(titles(await search("Without a Cover"))[0]).toBe("Without a Cover");
    expect((await search('"with a cover"')).interpretation.filters).toEqual({});
  });

  test("a wish is said in words, and takes part in the summary and in the reasons", async () => {
    const { interpretation, results } = await search("dark, sent to Bo last month");

    expect(interpretation).toMatchObject({
      summary: "Dark music sent to Bo from 1 October 2026 to 31 October 2026.",
      filters: {
        facts: [
          {
            fact: "sent",
            isNot: false,
            after: "2026-10-01T00:00:00.000Z",
            before: "2026-11-01T00:00:00.000Z",
            who: "Bo",
            isKnown: true,
          },
        ],
      },
      appliedTuning: { removed: { sent: 2 }, considered: 1 },
    });
    expect(interpretation.said).toMatchObject([
      { kind: "mood", value: "Dark" },
      {
        kind: "filter",
        value: "sent to Bo from 1 October 2026 to 31 October 2026",
        spans: [{ start: 6, end: 27 }],
      },
    ]);
    expect(results[0].reason).toContain("sent to Bo from 1 October 2026 to 31 October 2026");
  });

  test("several conditions follow one after the other in the summary", async () => {
    const { interpretation } = await search("dark, starts with piano, sent to Bo, without a cover");

    expect(interpretation.summary).toStartWith(
      "Dark music, beginning with Piano, sent to Bo, without a cover.",
    );
  });

  test("a name that nobody has is said to be unknown", async () => {
    const { interpretation, count } = await search("opened by Zoltan");

    expect({ count, said: interpretation.said }).toMatchObject({ count: 0, said: [{ known: false }] });
    expect(interpretation.summary).toContain("Nobody called “Zoltan” is known for that.");
  });

  test("“me” is whoever asks", async () => {
    const manager = app.signedIn(addMember(app, owner, { role: "manager" }).token);
    const asked = async (as: typeof ida) =>
      (await as("POST", "/app/library/tracks/search", { query: "uploaded by me" })).body.data;

    expect(titles(await asked(ida))).toEqual(["Ash"]);
    expect(titles(await asked(manager))).toEqual([]);
  });

  test("an instrument whose places nobody knows is said to be unknown", async () => {
    const { interpretation, count } = await search("starts with banjo");

    expect({ count, said: interpretation.said }).toMatchObject({ count: 0, said: [{ known: false }] });
    expect(interpretation.summary).toContain("Where “Banjo” plays is not known here.");
  });

  test.each(["ready to deliver", "lieferbereit", "prêt à livrer"])(
    "readiness is not searched for: %s",
    async (query) => {
      expect((await search(query)).interpretation.unasked).toEqual([UNASKED_TEXTS.readiness]);
    },
  );

  test("what is not stored says so, and finds nothing by itself", async () => {
    const { interpretation, count } = await search("hit potential");

    expect({ count, ...interpretation }).toMatchObject({
      count: 0,
      unasked: ["How likely something is to be a hit is not known here."],
      summary: "How likely something is to be a hit is not known here.",
    });
    expect(titles(await search("dark, mixed by Bo"))).toHaveLength(2);
  });

  test("a role that does not see a fact neither finds nor loses tracks by it", async () => {
    const viewer = app.signedIn(addMember(app, owner, { role: "artist" }).token);
    const asked = async (query: string) => {
      const { status, body } = await viewer("POST", "/app/library/tracks/search", { query });
      expect(status).toBe(200);
      return body.data;
    };
    for (const query of ["most played", "sent to Bo", "never opened by Bo", "explicit", "composed by Ana"]) {
      const { count, interpretation } = await asked(query);
      expect({
        query,
        count,
        filters: interpretation.filters,
        ordering: interpretation.ordering,
        said: interpretation.said,
      }).toEqual({
        query,
        ...{ count: 0, filters: {}, ordering: null, said: [] },
      });
      expect(interpretation.summary).toContain("your role does not see");
      expect(JSON.stringify(interpretation)).not.toContain("isKnown");
    }
    expect(titles(await asked("dark, never sent to Bo")).toSorted()).toEqual(["Ash", "Birch"]);
    expect(titles(await asked("dark, without a cover"))).toEqual(["Birch"]);
    expect(titles(await asked("dark, explicit or wav")).toSorted()).toEqual(["Ash", "Birch"]);
  });

  test.each(["give me anything", "surprise me", "irgendwas", "n'importe quoi", "cokolwiek", "что угодно"])(
    "anything finds anything: %s",
    async (query) => {
      expect((await search(query)).count).toBe(3);
    },
  );

  test.each(["asdf qwer", "...", "🎵", "please and thank you"])(
    "nonsense finds nothing and says why: %s",
    async (query) => {
      const { count, interpretation } = await search(query);

      expect(count).toBe(0);
      expect(interpretation.summary).toMatch(
        /^(?:Nothing in the query was understood|The query says nothing)/,
      );
    },
  );

  for (const [fact, phrases] of Object.entries(ASKED))
    test.each([...phrases])(`asks for ${fact}: “%s”`, async (query, letters) => {
      const answer = await search(query);
      const found = titles(answer);
      const wanted = [...letters].map((letter) => LETTERS[letter] ?? letter);
      if (!ORDERS.test(query)) found.sort();
      expect({
        found,
        read: answer.interpretation.filters.facts,
        summary: answer.interpretation.summary,
      }).toMatchObject({ found: wanted });
    });
});

describe("a stored fact beside a style", () => {
  const read = (query: string) => {
    const { filters, wanted, unread } = parseBrief(query, { findArtist: () => undefined, now: NOW });
    const facts = filters.facts?.map(({ fact, isNot }) => `${isNot ? "not " : ""}${fact}`) ?? [];
    return [...facts, ...wanted.flatMap(({ tags }) => tags[0]?.entry.name ?? []), ...unread];
  };

  test.each([
    ["explicit techno", "explicit"],
    ["explicit dark techno", "explicit"],
    ["approved techno", "approved"],
    ["approved dark techno", "approved"],
    ["techno, not approved", "not approved"],
    ["unsent techno", "not sent"],
    ["delivered techno", "delivered"],
    ["techno wavs", "wav"],
    ["goedgekeurde techno", "approved"],
    ["techno approuvé", "approved"],
    ["freigegebener dunkler Techno", "approved"],
    ["ungesendeter Techno", "not sent"],
    ["techno approvata", "approved"],
    ["zatwierdzone techno", "approved"],
    ["techno aprovado", "approved"],
    ["одобренное техно", "approved"],
    ["techno aprobado", "approved"],
  ])("%s", (query, fact) => {
    expect(read(query).filter((each) => each !== "Dark")).toEqual([fact, "Techno"]);
  });

  test.each(["well written jazz", "piano played softly", "shared love", "pop changed my life"])(
    "asks for none: %s",
    (query) => {
      expect(parseBrief(query, { findArtist: () => undefined, now: NOW }).filters).toEqual({});
    },
  );
});

describe("every fact", () => {
  const rows = readFileSync("docs/search.md", "utf8")
    .split("\n")
    .filter((line) => /^\| `\w+` \|(?:[^|]+\|){9}$/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  test("is in the table of docs/search.md, in nine languages", () => {
    expect(rows.map(([fact = ""]) => fact.replaceAll("`", ""))).toEqual(FACTS.map(({ name }) => name));
  });

  test.each(rows)("%s is asked for as the table says", (name = "", ...queries) => {
    const findPerson: FindPerson = (_, text) =>
      text.toLowerCase() === "bo" ? { name: text, stored: ["Bo"] } : undefined;
    for (const query of queries) {
      const { filters, unread } = parseBrief(query, { findArtist: () => undefined, now: NOW, findPerson });
      expect({ query, facts: filters.facts?.map(({ fact }) => fact), unread }).toEqual({
        query,
        facts: [name.replaceAll("`", "") as FactName],
        unread: [],
      });
    }
  });

  test.each(FACTS.flatMap((row) => [...said(row)]))(
    "a chip that is put back into the query is read as it was: %s",
    (_, wish) => {
      const { filters } = parseBrief(factText(wish), {
        findArtist: () => undefined,
        now: NOW,
        findPerson: (__, text) => (text === "Bo" ? BO : undefined),
      });

      expect(filters.facts).toEqual([wish]);
    },
  );

  test("every word of the lexicon speaks of a fact, and what cannot be asked has a sentence", () => {
    const named = new Set(FACT_WORDS.map(({ fact }) => fact));
    expect(FACTS.filter(({ name }) => !named.has(name))).toEqual([]);
    expect(UNASKED.filter((name) => UNASKED_TEXTS[name] === undefined)).toEqual([]);
  });
});

/** Sections one after the other, by where each begins. */
const sections = (...starts: [kind: string, startSec: number][]) =>
  starts.map(([kind, startSec], at) => ({ kind, startSec, endSec: starts[at + 1]?.[1] ?? 187 }));

const PIANO = { name: "Piano", stored: ["instruments Piano"] };
const BO = { name: "Bo", stored: ["Bo"] };

/** Returns what can be asked of a fact, in the words of its chip. */
function* said({ name: fact, ...row }: (typeof FACTS)[number]): Generator<[text: string, wish: FactWish]> {
  const {
    kind,
    isSound = false,
    joins,
    counted,
    otherwise,
    unit,
    isNegative = false,
  }: Omit<FactRow, "name"> = row;
  const wish = (more: Omit<FactWish, "fact">): [string, FactWish] => [
    factText({ fact, ...more }),
    { fact, ...more },
  ];
  if (kind === "number") {
    const limit = (isNegative ? -1 : 1) * 20 * (unit?.[1] ?? 1);
    yield wish({ isNot: false, range: { above: limit } });
    yield wish({ isNot: false, range: { below: limit } });
    return;
  }
  // Another filter reads "never played"; "with an artist" speaks of the sound.
  if (otherwise === undefined) yield wish({ isNot: true });
  if (otherwise === undefined && !isSound) yield wish({ isNot: false });
  const person = joins === "with" ? PIANO : BO;
  if (joins) yield wish({ isNot: true, person });
  if (joins) yield wish({ isNot: false, person });
  if (counted && fact !== "uploaded" && fact !== "albums") yield wish({ isNot: false, range: { above: 5 } });
}

/** Stores that a track of 187 s was heard whole, and in which of its passages something plays. */
function hear(app: TestApp, trackId: string, plays: Partial<Record<PlacedName, [from: number, to: number]>>) {
  const passages = 62;
  const likelihoods = Uint8Array.from(
    PLACED_NAMES.flatMap((name) => {
      const [from, to] = plays[name] ?? [0, 0];
      return Array.from({ length: passages }, (_, at) => (at >= from && at < to ? CERTAIN : 0));
    }),
  );
  putHeardPassages(app.deps.db, trackId, { stepSec: 3, likelihoods });
}

function plant(app: TestApp, owner: string, [ash = "", birch = "", without = ""]: readonly string[]): void {
  const { $client: sql } = app.deps.db;
  const run = (text: string, ...values: (string | number | null)[]) => sql.query(text).run(...values);
  const version = (track: string) =>
    (sql.query("SELECT active_version_id AS id FROM tracks WHERE id = ?").get(track) as { id: string }).id;
  const [one, two, three] = [version(ash), version(birch), version(without)];
  hear(app, ash, { Piano: [0, 20], Strings: [40, 62] });
  hear(app, birch, { "Acoustic Guitar": [0, 62], Strings: [20, 30], Vocals: [50, 62] });
  run(
    "UPDATE tracks SET cover = 'c', album = 'Dusk', isrc = 'GBAYE6800011', year = '2020', record_label = 'Own' WHERE id = ?",
    ash,
  );
  run(
    `INSERT INTO track_rights (track_id, iswc, upc, release_date, p_line, explicit, ai_use, updated_at)
    VALUES (?, 'T-1', '1', '2026-01-01', 'P', 'yes', '[{"part":"mix","extent":"assisted"}]', 1)`,
    ash,
  );
  run("INSERT INTO timed_lyrics (version_id, lines, origin, updated_at) VALUES (?, '[]', 'written', 1)", one);
  run("UPDATE versions SET container = 'wav', size_bytes = 20000000 WHERE id = ?", one);
  run("UPDATE versions SET container = 'mp3', size_bytes = 3000000, visible = 0 WHERE id = ?", two);
  run("UPDATE versions SET container = 'aiff', size_bytes = 90000000 WHERE id = ?", three);
  run("UPDATE track_rows SET visible = 0 WHERE id = ?", birch);
  run(
    `UPDATE analyses SET lossless = 0, truncated = 1, integrated_lufs = -6, true_peak_dbtp = 0.4, range_lu = 3, sample_rate_hz = 44100,
    bit_depth = 16, bitrate_bps = 320000, channels = 1 WHERE version_id = ?`,
    two,
  );
  run(
    `UPDATE analyses SET integrated_lufs = -18, true_peak_dbtp = -3, range_lu = 12, sample_rate_hz = 96000, bit_depth = 32,
    bitrate_bps = 9000000 WHERE version_id = ?`,
    three,
  );
  const structures = [
    {
      metre: "3/4",
      swing: 0.66,
      sections: sections(["intro", 0], ["verse-like", 8], ["chorus-like", 40], ["break", 90]),
    },
    { metre: "6/8", swing: 0.5, sections: sections(["intro", 0], ["verse-like", 20], ["chorus-like", 75]) },
    { metre: "4/4", swing: null, sections: [] },
  ];
  for (const [at, structure] of structures.entries())
    run(
      "UPDATE analyses SET structure = ? WHERE version_id = ?",
      JSON.stringify(structure),
      [one, two, three][at] ?? "",
    );
  const day5 = day("2026-10-05");
  run(
    "INSERT INTO composers (id, owner_id, full_name, created_at) VALUES ('cmp_1', ?, 'Ana Pires', 1)",
    owner,
  );
  run("INSERT INTO track_shareholders VALUES (?, 'cmp_1', 100, 'composer', 0, 1)", ash);
  run(
    "INSERT INTO shares (id, owner_id, entity, entity_id, token, recipient, recipient_email, created_at) VALUES ('shr_1', ?, 'track', ?, 't1', 'Bo Larsen', 'bo@example.com', ?)",
    owner,
    ash,
    day5,
  );
  run(
    "INSERT INTO shares (id, owner_id, entity, entity_id, token, recipient, created_at) VALUES ('shr_2', ?, 'track', ?, 't2', 'Ana', ?)",
    owner,
    without,
    day("2026-03-05"),
  );
  run(
    "INSERT INTO share_answers (id, share_id, track_id, answer, at) VALUES ('ans_1', 'shr_1', ?, 'interested', ?), ('ans_2', 'shr_2', ?, 'pass', ?)",
    ash,
    day5,
    birch,
    day("2026-11-03"),
  );
  run(
    "INSERT INTO delivery_packages (id, owner_id, profile, name, recipient, settings, bytes, sha256, made_at) VALUES ('pkg_1', ?, 'store', 'P', 'Cargo', ?, 1, '', ?)",
    owner,
    JSON.stringify({ versions: [[ash, one]] }),
    day5,
  );
  run(
    "INSERT INTO briefs (id, owner_id, name, status, token, created_at, updated_at) VALUES ('brf_1', ?, 'B', 'open', 'x', 1, 1)",
    owner,
  );
  run(
    "INSERT INTO brief_submissions (id, brief_id, batch_id, type, track_id, kind, created_at, submitter_name) VALUES ('sub_1', 'brf_1', 'b', 'track', ?, 'free', ?, 'Kim')",
    without,
    day5,
  );
  run(
    "INSERT INTO comments (id, track_id, author_name, text, created_at, resolved_at) VALUES ('com_1', ?, 'Ana', 'x', ?, NULL), ('com_2', ?, 'Ana', 'y', ?, 5), ('com_3', ?, 'Kim', 'z', ?, 5)",
    ash,
    day5,
    birch,
    day5,
    ash,
    day5,
  );
  run(
    "INSERT INTO reviews (id, track_id, version_id, name, state, at) VALUES ('rev_1', ?, ?, 'Ana', 'approved', ?), ('rev_2', ?, ?, 'Ana', 'changes', ?)",
    ash,
    one,
    day5,
    birch,
    two,
    day5,
  );
  run(
    "UPDATE versions SET made_by = (SELECT person_id FROM members WHERE account_id = ?) WHERE id = ?",
    owner,
    one,
  );
  run(
    "INSERT INTO versions (id, track_id, version_order, name, visible, sha256, size_bytes, media_type, container, created_at) VALUES ('ver_x', ?, 1, 'n', 1, '0', 1, 'audio/wav', 'wav', ?)",
    ash,
    day("2026-11-19"),
  );
  run(
    "INSERT INTO playlists (id, owner_id, name, kind, created_at, updated_at) VALUES ('ply_1', ?, 'Summer', 'playlist', 1, 1), ('ply_2', ?, 'Dusk', 'album', 1, 1)",
    owner,
    owner,
  );
  run(
    "INSERT INTO playlist_tracks (playlist_id, track_id, position, added_at) VALUES ('ply_1', ?, 1, 1), ('ply_2', ?, 1, 1)",
    ash,
    birch,
  );
  run(
    "INSERT INTO saves SELECT person_id, 'track', ?, account_id, ? FROM members WHERE account_id = ?",
    birch,
    day5,
    owner,
  );
  run("INSERT INTO families (id, owner_id, main_track_id, created_at) VALUES ('fam_1', ?, ?, 1)", owner, ash);
  run(
    "INSERT INTO family_members (track_id, family_id, kind, joined_by, joined_at) VALUES (?, 'fam_1', 'main', 'owner', 1)",
    ash,
  );
  const { lastInsertRowid: recording } = run(
    "INSERT INTO recordings (owner_id, pcm_sha256, codes, columns, levels, balance, frames_per_pair, peaks) VALUES (?, x'00', x'', x'', x'', '[]', 1, x'')",
    owner,
  );
  for (const id of [one, two]) run("INSERT INTO version_recordings VALUES (?, ?)", id, Number(recording));
  const { lastInsertRowid: entity } = run(
    "INSERT INTO activity_entities (owner_id, entity, entity_id) VALUES (?, 'track', ?)",
    owner,
    ash,
  );
  for (const [metric, count] of [
    ["plays", 7],
    ["downloads", 1],
    ["views", 1],
  ] as const) {
    const { lastInsertRowid: series } = run(
      "INSERT INTO activity_series (owner_id, entity, metric) VALUES (?, 'track', ?)",
      owner,
      metric,
    );
    for (let at = 0; at < count; at++)
      run(
        "INSERT INTO activity (id, series_ref, entity_ref, at, actor_type, actor_name, share_id) VALUES (?, ?, ?, ?, 'visitor', 'A visitor', 'shr_1')",
        `${metric}${at}`,
        Number(series),
        Number(entity),
        day5,
      );
    run("INSERT INTO activity_counts VALUES (?, ?, 0, ?)", Number(entity), Number(series), count);
  }
  run("UPDATE track_rows SET updated_at = ? WHERE id = ?", day("2026-11-20"), ash);
  run("UPDATE track_rows SET updated_at = ? WHERE id <> ?", day("2026-06-01"), ash);
  run(
    "UPDATE people SET name = 'Ida' WHERE id = (SELECT person_id FROM members WHERE account_id = ?)",
    owner,
  );
}
