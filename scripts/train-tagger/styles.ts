import type { Random } from "../eval-audio/random.ts";

/** General MIDI programs of the families to distinguish. "Other" sounds but has no name. */
export const FAMILIES = {
  Piano: [0, 1, 2, 3],
  Organ: [16, 17, 18, 19, 20],
  "Acoustic Guitar": [24, 25],
  "Electric Guitar": [26, 27, 28],
  "Distorted Guitar": [29, 30],
  Strings: [40, 41, 42, 44, 48, 49, 48],
  Choir: [52, 53, 54],
  Brass: [56, 57, 58, 60, 61],
  Woodwinds: [64, 65, 66, 68, 70, 71, 73, 74, 75],
  Synth: [38, 39, 80, 81, 82, 87, 88, 89, 90, 91, 94, 95, 50, 51],
  Mallets: [8, 9, 10, 11, 12, 13],
  Other: [32, 33, 34, 46, 105, 109, 21, 4, 5],
} as const satisfies Record<string, readonly number[]>;
export type Family = keyof typeof FAMILIES;

/** The part of one player. */
export type Layer = {
  role: "bass" | "chords" | "tune" | "held" | "broken";
  family: Family;
  program: number;
};

/** A style: its tags, and how it is played. Drum hits are in beats from the start of the bar. */
export type Style = {
  genres: readonly string[];
  movements: readonly string[];
  bpm: readonly [number, number];
  beats: number;
  kit: number;
  drums: Readonly<Record<number, readonly number[]>> | undefined;
  layers: (random: Random) => Layer[];
};

const [KICK, SNARE, RIM, HAT, OPEN, RIDE, TIMPANI_TOM, TAMBOURINE] = [36, 38, 37, 42, 46, 51, 41, 54];
const HALVES = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5];
const QUARTERS = [0, 1, 2, 3];

/** A layer: its role, the families to draw from, and the share of pieces that have it. */
type Part = readonly [role: Layer["role"], families: readonly Family[], share: number];

const players =
  (parts: readonly Part[]) =>
  (random: Random): Layer[] =>
    parts
      .filter(([, , share]) => random.chance(share))
      .map(([role, families]) => {
        const family = random.pick(families);
        return { role, family, program: random.pick<number>(FAMILIES[family]) };
      });

const ORCHESTRA: readonly Part[] = [
  ["held", ["Strings"], 1],
  ["bass", ["Strings"], 0.8],
  ["tune", ["Brass", "Woodwinds", "Strings"], 0.9],
  ["chords", ["Strings", "Brass"], 0.5],
  ["held", ["Brass", "Choir", "Woodwinds"], 0.5],
  ["broken", ["Mallets", "Other", "Woodwinds"], 0.25],
];
const MACHINES: readonly Part[] = [
  ["bass", ["Synth"], 1],
  ["broken", ["Synth"], 0.7],
  ["held", ["Synth"], 0.6],
  ["tune", ["Synth", "Mallets", "Piano"], 0.5],
];
const BAND: readonly Part[] = [
  ["bass", ["Other"], 1],
  ["chords", ["Distorted Guitar", "Electric Guitar"], 1],
  ["tune", ["Distorted Guitar", "Organ", "Electric Guitar"], 0.6],
];

export const STYLES: readonly Style[] = [
  style(["Orchestral"], [60, 110], undefined, players(ORCHESTRA)),
  style(["Orchestral"], [90, 150], { [KICK]: [0, 2], [TIMPANI_TOM]: [0, 1.5, 3] }, players(ORCHESTRA), {
    kit: 48,
  }),
  style(
    ["Electronic"],
    [120, 142],
    { [KICK]: QUARTERS, [SNARE]: [1, 3], [OPEN]: [0.5, 1.5, 2.5, 3.5] },
    players(MACHINES),
    { kit: 25, movements: ["Four-on-the-Floor"] },
  ),
  style(["Electronic"], [85, 170], { [KICK]: [0, 2.5], [SNARE]: [1, 3], [HAT]: HALVES }, players(MACHINES), {
    kit: 24,
  }),
  style(
    ["Electronic", "Ambient"],
    [50, 90],
    undefined,
    players([
      ["held", ["Synth"], 1],
      ["held", ["Synth", "Choir", "Strings"], 0.7],
      ["broken", ["Synth", "Mallets", "Piano"], 0.4],
    ]),
  ),
  style(["Rock"], [100, 165], { [KICK]: [0, 2, 2.5], [SNARE]: [1, 3], [HAT]: HALVES }, players(BAND)),
  style(
    ["Rock"],
    [80, 190],
    { [KICK]: [0, 0.75, 1.5, 2, 2.5], [SNARE]: [1, 3], [RIDE]: QUARTERS },
    players(BAND),
    {
      kit: 16,
    },
  ),
  style(
    ["Folk"],
    [80, 130],
    undefined,
    players([
      ["broken", ["Acoustic Guitar"], 0.9],
      ["tune", ["Woodwinds", "Strings", "Other"], 0.8],
      ["chords", ["Acoustic Guitar", "Other"], 0.6],
    ]),
  ),
  style(
    ["Folk"],
    [90, 180],
    { [TAMBOURINE]: [0, 1, 2] },
    players([
      ["chords", ["Acoustic Guitar", "Other"], 1],
      ["tune", ["Woodwinds", "Strings", "Other"], 1],
      ["bass", ["Other"], 0.6],
    ]),
    { beats: 3, movements: ["Waltzing"] },
  ),
  style(
    ["Jazz"],
    [100, 210],
    { [RIDE]: [0, 1, 1.67, 2, 3, 3.67], [HAT]: [1, 3], [RIM]: [3.67] },
    players([
      ["bass", ["Other"], 1],
      ["chords", ["Piano", "Organ", "Electric Guitar"], 1],
      ["tune", ["Woodwinds", "Brass"], 0.9],
      ["tune", ["Mallets", "Brass"], 0.3],
    ]),
    { kit: 40, movements: ["Swinging"] },
  ),
  style(
    [],
    [60, 120],
    undefined,
    players([
      ["broken", ["Piano"], 0.8],
      ["tune", ["Piano"], 0.8],
      ["chords", ["Piano"], 0.7],
    ]),
  ),
  style(
    [],
    [80, 125],
    { [KICK]: [0, 1.75, 2.5], [SNARE]: [1, 3], [HAT]: HALVES },
    players([
      ["bass", ["Other", "Synth"], 1],
      ["chords", ["Piano", "Organ", "Electric Guitar", "Acoustic Guitar"], 1],
      ["tune", ["Brass", "Woodwinds", "Synth", "Piano"], 0.6],
      ["held", ["Strings", "Synth"], 0.4],
    ]),
  ),
];

function style(
  genres: readonly string[],
  bpm: readonly [number, number],
  drums: Style["drums"],
  layers: Style["layers"],
  rest: Partial<Pick<Style, "beats" | "kit" | "movements">> = {},
): Style {
  return { genres, bpm, drums, layers, beats: 4, kit: 0, movements: [], ...rest };
}
