import { describe, expect, test } from "bun:test";
import { type Interpretation, namesIn } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";

const read = (query: string): Interpretation => parseBrief(query, { findArtist: () => undefined });

describe("lengths as people write them", () => {
  test.each([
    [`2'30" to 3'15"; tender`, [150, 195]],
    ["1m45s - 2m15s", [105, 135]],
    ["3 to 3:30", [180, 210]],
    ["anywhere from 3 to 5 min", [180, 300]],
    ["in the 2 to 3 minute range", [120, 180]],
    ["3 1/2 minutes", [210, 210]],
    ["minute and a half", [90, 90]],
    ["2 min. 30", [150, 150]],
    ["quarter of an hour", [900, 900]],
    ["max. 2:45", [0, 165]],
    ["min. 3 minutes", [180, 86_400]],
    ["clocking in under 2:30", [0, 150]],
    ["must not run past 1:20", [0, 80]],
    ["shouldn't exceed 2 minutes", [0, 120]],
    ["can't be longer than 40 secs", [0, 40]],
    ["not shorter than 7 minutes", [420, 86_400]],
    ["a 2-minute cap", [0, 120]],
    ["6s + 15s", [15, 15]],
    ["de 2 à 3 minutes, sans voix", [120, 180]],
    ["menos de dos minutos, con guitarra", [0, 120]],
  ])("a length is read from: %s", (query, range) => {
    expect(read(query).durationRange).toEqual(range as [number, number]);
  });

  test("sub-2-minute does not mean sub-bass", () => {
    const found = read("sub-2-minute surf rock");
    expect(found.durationRange).toEqual([0, 120]);
    expect(namesIn(found.wanted, "instruments")).toEqual([]);
  });
});

describe("tempos as people write them", () => {
  test.each([
    ["140 dubstep wobble", [140, 140]],
    ["trance 138-140 euphoric Fm", [138, 140]],
    ["140 BPM (±4)", [136, 144]],
    ["130bpm +-5", [125, 135]],
    ["between 90 and 100, warm", [90, 100]],
    ["100-110 tempo", [100, 110]],
    ["very loud, fast like 160", [160, 160]],
  ])("a tempo is read from: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each(["120 fps, warm", "between 20 and 30 people"])("no tempo is read from: %s", (query) => {
    expect(read(query).bpmRange).toBeNull();
  });
});

test("FM synths and AM radio are not keys", () => {
  expect(read("FM synths, AM radio").key).toBeNull();
});

describe("what a brief excludes, and what it does not", () => {
  test.each([
    ["techno -drums +piano", "Drums", ["Techno"]],
    ["strings yes, brass no", "Brass", []],
    ["keep the strings out of it", "Strings", []],
    ["AVOID – ukulele, claps, whistling", "Claps", []],
    ["skip the harp and the choir", "Choir", []],
    ["originally jazz, now soul", "Jazz", ["Soul"]],
    ["forget jazz, soul", "Jazz", ["Soul"]],
    ["jazz? God no. Soul.", "Jazz", ["Soul"]],
    ["all genres but metal", "Metal", []],
    ["the best man suggested dubstep, we are ignoring him", "Dubstep", []],
    ["if I hear another ukulele I'll cry", "Ukulele", []],
    ["nothing with autotune, trap hats or 808s", "Trap", []],
    ["drumless ambient", "Drums", ["Ambient"]],
  ])("a brief excludes names: %s", (query, unwanted, genres) => {
    const found = read(query);
    const names = found.unwanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.name));
    expect(names).toContain(unwanted);
    expect(namesIn(found.wanted, "genres")).toEqual(genres as string[]);
  });

  test.each([
    ["non-cheesy romantic", "Romantic"],
    ["gentle, don't want it to be depressing", "Gentle"],
    ["no less epic than the last one", "Epic"],
    ["energetic free jazz", "Energetic"],
    ["Psytrance / not shorter than 7 minutes / hypnotic", "Hypnotic"],
  ])("a brief still wants its names: %s", (query, mood) => {
    expect(namesIn(read(query).wanted, "moods")).toContain(mood);
  });

  test("a list with dashes inside words is not read as exclusions", () => {
    expect(namesIn(read("lo-fi, piano-led, post-rock").wanted, "genres")).toContain("Post-Rock");
  });
});

describe("voices", () => {
  test.each([
    ["Vocals? No thanks.", "instrumental"],
    ["no one singing", "instrumental"],
    ["non-vocal", "instrumental"],
    ["lyrics would distract", "instrumental"],
    ["no rap, soul singing", "vocal"],
    ["no sung hook, male rapper", "vocal"],
    ["female-led indie", "vocal"],
    ["the man is screaming", "vocal"],
    ["no talking, the voice of mission control comes over the top", "instrumental"],
    ["can be vocal or instrumental", null],
    ["I don't mind vocals", null],
  ])("the voice of “%s” is %s", (query, preference) => {
    expect(read(query).vocalPreference).toBe(preference as Interpretation["vocalPreference"]);
  });
});

describe("themes and topics", () => {
  test.each([
    ["a breakup banger", "Breakup"],
    ["self-love message", "Self-Love"],
    ["letra sobre el desamor, con guitarra", "Heartbreak"],
  ])("a theme is read from: %s", (query, theme) => {
    expect(namesIn(read(query).wanted, "lyricThemes")).toEqual([theme]);
  });

  test("the topic of an episode is not a mood of the music", () => {
    expect(namesIn(read("an episode about sad clowns, happy music").wanted, "moods")).toEqual(["Happy"]);
  });
});

describe("names", () => {
  test.each([
    ["Roots reggae", null],
    ["the doors open on a desert", null],
    ["Spanish vocals, yes", null],
    ["Disco-leaning pop", null],
    ["like the theme of Game of Thrones", null],
    ["something like the strokes", "The Strokes"],
    ["instead of Hozier, think Bon Iver", "Bon Iver"],
    ["Four Tet/Floating Points", "Four Tet"],
    ["something Massive Attack would do", "Massive Attack"],
  ])("the name in “%s” is %s", (query, name) => {
    expect(read(query).referenceArtist).toBe(name);
  });
});
