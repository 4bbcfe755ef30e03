import type { Random } from "../eval-audio/random.ts";

/** General MIDI programs of the families to distinguish. */
export const FAMILIES = {
  Piano: [0, 1, 2, 3],
  "Electric Piano": [4, 5],
  Organ: [16, 17, 18, 19, 20],
  Reeds: [21, 22],
  "Acoustic Guitar": [24, 25],
  "Electric Guitar": [26, 27, 28],
  "Distorted Guitar": [29, 30],
  "Bass Guitar": [33, 34, 36],
  "Double Bass": [32],
  Strings: [40, 41, 42, 44, 48, 49, 48],
  Pizzicato: [45],
  Harp: [46],
  Choir: [52, 53, 54],
  Brass: [56, 57, 58, 60, 61],
  Woodwinds: [64, 65, 66, 68, 70, 71, 73, 74, 75],
  Flutes: [72, 73, 74, 75],
  Synth: [38, 39, 80, 81, 82, 87, 88, 89, 90, 91, 94, 95, 50, 51],
  Mallets: [8, 9, 10, 11, 12, 13, 14],
  /** Square and saw waves. */
  Chip: [80, 80, 81],
  Folk: [104, 105, 106, 107, 109, 110],
} as const satisfies Record<string, readonly number[]>;
export type Family = keyof typeof FAMILIES;

/** Names of the taxonomy for ranges of programs: from, to, names. Bass and noises have none. */
const NAMES: readonly (readonly [from: number, to: number, names: string])[] = [
  [0, 3, "Piano"],
  [4, 5, "Electric Piano"],
  [8, 13, "Mallets"],
  [9, 9, "Glockenspiel"],
  [10, 10, "Music Box"],
  [11, 11, "Vibraphone"],
  [12, 12, "Marimba"],
  [13, 13, "Xylophone"],
  [14, 14, "Bells"],
  [16, 20, "Organ"],
  [19, 19, "Church Organ"],
  [21, 21, "Accordion"],
  [22, 22, "Harmonica"],
  [24, 30, "Guitar"],
  [24, 25, "Acoustic Guitar"],
  [26, 30, "Electric Guitar"],
  [29, 30, "Distorted Guitar"],
  [32, 32, "Double Bass"],
  [33, 36, "Bass Guitar"],
  [38, 39, "Synth Bass, Synth"],
  [40, 49, "Strings"],
  [40, 40, "Violin"],
  [42, 42, "Cello"],
  [45, 45, "Pizzicato Strings"],
  [46, 46, "Harp"],
  [50, 51, "Synth Strings, Synth"],
  [52, 54, "Choir"],
  [56, 61, "Brass"],
  [56, 56, "Trumpet"],
  [57, 57, "Trombone"],
  [58, 58, "Tuba"],
  [60, 60, "French Horn"],
  [64, 66, "Saxophone"],
  [64, 75, "Woodwinds"],
  [68, 68, "Oboe"],
  [70, 70, "Bassoon"],
  [71, 71, "Clarinet"],
  [72, 75, "Flute"],
  [80, 95, "Synth"],
  [80, 87, "Synth Lead"],
  [88, 95, "Synth Pad"],
  [104, 104, "Sitar"],
  [105, 105, "Banjo"],
  [107, 107, "Koto"],
  [109, 109, "Bagpipes"],
  [110, 110, "Fiddle"],
];

/** Returns the names of the instrument of a General MIDI program. */
export function namesOfProgram(program: number): string[] {
  return NAMES.flatMap(([from, to, names]) => (program >= from && program <= to ? names.split(", ") : []));
}

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
  ["broken", ["Mallets", "Harp", "Pizzicato", "Woodwinds"], 0.4],
];
const MACHINES: readonly Part[] = [
  ["bass", ["Synth"], 1],
  ["broken", ["Synth"], 0.7],
  ["held", ["Synth"], 0.6],
  ["tune", ["Synth", "Mallets", "Piano"], 0.5],
];
const BAND: readonly Part[] = [
  ["bass", ["Bass Guitar"], 1],
  ["chords", ["Distorted Guitar", "Electric Guitar"], 1],
  ["tune", ["Distorted Guitar", "Organ", "Electric Guitar"], 0.6],
];

const METAL: readonly Part[] = [
  ["bass", ["Bass Guitar"], 1],
  ["chords", ["Distorted Guitar"], 1],
  ["bass", ["Distorted Guitar"], 0.8],
  ["tune", ["Distorted Guitar"], 0.5],
  ["held", ["Strings", "Choir", "Synth"], 0.3],
];
const CHIPS: readonly Part[] = [
  ["bass", ["Chip"], 1],
  ["broken", ["Chip"], 0.9],
  ["tune", ["Chip"], 0.9],
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
  style(
    ["Metal", "Rock"],
    [110, 200],
    {
      [KICK]: [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.25, 2.5, 2.75, 3, 3.5],
      [SNARE]: [1, 3],
      [RIDE]: QUARTERS,
    },
    players(METAL),
    { kit: 16 },
  ),
  style(["Chiptune", "Electronic"], [110, 170], { [HAT]: HALVES, [SNARE]: [1, 3] }, players(CHIPS), {
    kit: 25,
  }),
  style(
    ["Techno", "Electronic"],
    [124, 145],
    { [KICK]: QUARTERS, [OPEN]: [0.5, 1.5, 2.5, 3.5], [HAT]: [0.25, 0.75, 1.25, 1.75, 2.25, 2.75] },
    players(MACHINES),
    { kit: 25, movements: ["Four-on-the-Floor"] },
  ),
  style(
    ["Drum & Bass", "Electronic"],
    [160, 178],
    { [KICK]: [0, 2.5], [SNARE]: [1, 3], [HAT]: HALVES },
    players(MACHINES),
    { kit: 24 },
  ),
  style(
    ["Classical"],
    [55, 140],
    undefined,
    players([
      ["tune", ["Strings", "Woodwinds", "Flutes"], 1],
      ["broken", ["Piano", "Harp", "Strings"], 0.6],
      ["chords", ["Strings", "Woodwinds"], 0.6],
      ["bass", ["Strings"], 0.6],
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
      ["tune", ["Flutes", "Woodwinds", "Strings", "Folk", "Reeds"], 0.8],
      ["chords", ["Acoustic Guitar", "Harp", "Reeds"], 0.6],
    ]),
  ),
  style(
    ["Folk"],
    [90, 180],
    { [TAMBOURINE]: [0, 1, 2] },
    players([
      ["chords", ["Acoustic Guitar", "Reeds", "Folk"], 1],
      ["tune", ["Flutes", "Strings", "Folk", "Reeds"], 1],
      ["bass", ["Double Bass"], 0.6],
    ]),
    { beats: 3, movements: ["Waltzing"] },
  ),
  style(
    ["Jazz"],
    [100, 210],
    { [RIDE]: [0, 1, 1.67, 2, 3, 3.67], [HAT]: [1, 3], [RIM]: [3.67] },
    players([
      ["bass", ["Double Bass"], 1],
      ["chords", ["Piano", "Electric Piano", "Organ", "Electric Guitar"], 1],
      ["tune", ["Woodwinds", "Brass"], 0.9],
      ["tune", ["Mallets", "Brass"], 0.3],
    ]),
    { kit: 40, movements: ["Swinging"] },
  ),
  style(
    ["Solo Piano"],
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
      ["bass", ["Bass Guitar", "Synth"], 1],
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
