import { describe, expect, test } from "bun:test";
import { parseBrief } from "../../src/brief/read.ts";

const read = (query: string) => parseBrief(query, { findArtist: () => undefined });

/** Numbers that are built in different ways, with the language's words for beats per minute left as "bpm". */
const SPELLED: Readonly<Record<string, readonly [words: string, value: number][]>> = {
  English: [
    ["a hundred and twenty", 120],
    ["one hundred twenty-eight", 128],
    ["ninety", 90],
    ["seventy-two", 72],
    ["one twenty-eight", 128],
    ["one oh five", 105],
    ["a buck forty", 140],
    ["two hundred and ninety-nine", 299],
  ],
  German: [
    ["hundertzwanzig", 120],
    ["einhundertachtundzwanzig", 128],
    ["fünfundneunzig", 95],
    ["hundert und fünf", 105],
    ["zweihundertneunundneunzig", 299],
  ],
  French: [
    ["cent vingt", 120],
    ["quatre-vingt-dix-sept", 97],
    ["soixante et onze", 71],
    ["quatre-vingts", 80],
    ["septante-cinq", 75],
    ["deux cent quatre-vingt-dix-neuf", 299],
  ],
  Italian: [
    ["centoventi", 120],
    ["centoventotto", 128],
    ["novantatré", 93],
    ["cento e dieci", 110],
    ["duecentonovantanove", 299],
  ],
  Spanish: [
    ["ciento veinte", 120],
    ["noventa y cinco", 95],
    ["ciento veintidós", 122],
    ["cien", 100],
    ["doscientos noventa y nueve", 299],
  ],
  Portuguese: [
    ["cento e vinte", 120],
    ["noventa e cinco", 95],
    ["cem", 100],
    ["cento e trinta e dois", 132],
    ["duzentos e noventa e nove", 299],
  ],
  Dutch: [
    ["honderdtwintig", 120],
    ["vijfennegentig", 95],
    ["honderd tweeëntwintig", 122],
    ["honderdenvijf", 105],
    ["tweehonderdnegenennegentig", 299],
  ],
};

describe("numbers in words", () => {
  const all = Object.entries(SPELLED).flatMap(([language, each]) =>
    each.map(([words, value]) => [language, words, value] as const),
  );
  test.each(all)("%s: %s bpm", (_, words, value) => {
    expect(read(`${words} bpm`).bpmRange).toEqual([value, value]);
  });

  test.each([
    ["house around one twenty", [115, 125]],
    ["techno, hundertzwanzig", [120, 120]],
    ["between ninety and a hundred and ten bpm", [90, 110]],
    ["between a hundred and one twenty bpm", [100, 120]],
    ["somewhere from one ten to one eighteen bpm", [110, 118]],
    ["zwischen neunzig und hundertzehn bpm", [90, 110]],
    ["entre cento e dez e cento e vinte bpm", [110, 120]],
    ["127,5 bpm", [127.5, 127.5]],
  ])("are a tempo: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    ["two thirty-second spots", [30, 30]],
    ["two minutes thirty", [150, 150]],
    ["a minute twenty", [80, 80]],
    ["forty-five seconds", [45, 45]],
    ["zweieinhalb Minuten", [150, 150]],
    ["anderthalb Minuten", [90, 90]],
    ["une minute et demie", [90, 90]],
    ["dos minutos y medio", [150, 150]],
    ["un minuto e mezzo", [90, 90]],
    ["dois minutos e meio", [150, 150]],
    ["halve minuut", [30, 30]],
    ["anderhalve minuut", [90, 90]],
    ["trois minutes vingt", [200, 200]],
    ["3'30", [210, 210]],
    ["jazz, 2 min 30", [150, 150]],
    ["2,5 Minuten", [150, 150]],
  ])("are a length: %s", (query, range) => {
    expect(read(query)).toMatchObject({ bpmRange: null, durationRange: range as [number, number] });
  });

  test.each([
    "songs like Twenty One Pilots",
    "one hundred guitars",
    "années soixante-dix",
    "lyrics about one love",
  ])("measure nothing: %s", (query) => {
    expect(read(query)).toMatchObject({ bpmRange: null, durationRange: null });
  });
});
