/** General MIDI drum notes. */
const KICK = 36;
const SNARE = 38;
const RIM = 37;
const CLAP = 39;
const HAT = 42;
const OPEN_HAT = 46;
const RIDE = 51;
const SHAKER = 70;
const CONGA = 63;
const TAMBOURINE = 54;

/** What a band plays, on a grid of `stepsPerBeat` steps per beat and `beats` per bar. */
export type BandStyle = {
  name: string;
  lowBpm: number;
  highBpm: number;
  beats: number;
  stepsPerBeat: number;
  /** Delay of every second step, as a fraction of a step. */
  swing: number;
  drums: Readonly<Record<number, readonly number[]>>;
  bass: readonly number[];
  chords: readonly number[];
  programs: { bass: readonly number[]; chords: readonly number[]; lead: readonly number[] };
};

const every = (step: number, until: number, from = 0) =>
  Array.from({ length: Math.ceil((until - from) / step) }, (_, i) => from + i * step);

const ELECTRIC = { bass: [33, 34], chords: [27, 29, 4], lead: [30, 81, 26] };
const CLUB = { bass: [38, 39, 87], chords: [90, 50, 88], lead: [80, 81, 98] };
const ACOUSTIC = { bass: [32, 33], chords: [0, 24, 25], lead: [73, 40, 66] };
const ORCHESTRA = { bass: [43, 42], chords: [48, 44, 52], lead: [60, 68, 40] };

/** Styles of the development set, different from those of the shared generator. */
export const BAND_STYLES: readonly BandStyle[] = [
  style(
    "pop",
    [92, 128],
    { [KICK]: [0, 8], [SNARE]: [4, 12], [HAT]: every(2, 16) },
    [0, 3, 8, 11],
    [0, 4, 8, 12],
    ELECTRIC,
  ),
  style(
    "half-time",
    [64, 84],
    { [KICK]: [0, 7, 10], [SNARE]: [4, 12], [HAT]: every(1, 16) },
    [0, 7, 10],
    [0],
    CLUB,
  ),
  style(
    "club",
    [120, 140],
    { [KICK]: every(4, 16), [CLAP]: [4, 12], [OPEN_HAT]: every(4, 16, 2) },
    every(4, 16, 2),
    [0, 3, 6, 10],
    CLUB,
  ),
  style(
    "breakbeat",
    [128, 142],
    { [KICK]: [0, 10], [SNARE]: [4, 12, 7, 9], [HAT]: every(2, 16) },
    [0, 3, 10],
    [0, 8],
    CLUB,
  ),
  style(
    "jungle",
    [164, 176],
    { [KICK]: [0, 2, 10], [SNARE]: [4, 7, 9, 12], [RIDE]: every(2, 16) },
    [0, 10],
    [0],
    CLUB,
  ),
  style(
    "hard-rock",
    [110, 160],
    { [KICK]: [0, 6, 8, 10], [SNARE]: [4, 12], [RIDE]: every(4, 16) },
    every(2, 16),
    every(2, 16),
    ELECTRIC,
  ),
  style(
    "soul",
    [84, 112],
    { [KICK]: [0, 7, 8], [SNARE]: [4, 12], [HAT]: every(2, 16), [TAMBOURINE]: [4, 12] },
    [0, 6, 8, 14],
    [4, 12],
    ELECTRIC,
    0.12,
  ),
  style(
    "hip-hop",
    [78, 98],
    { [KICK]: [0, 5, 8, 11], [SNARE]: [4, 12], [HAT]: every(2, 16) },
    [0, 5, 11],
    [0, 6],
    ELECTRIC,
    0.25,
  ),
  style(
    "afrobeat",
    [98, 118],
    { [KICK]: [0, 6, 8], [RIM]: [3, 7, 12], [SHAKER]: every(1, 16), [CONGA]: [2, 5, 10, 13] },
    [0, 3, 6, 10, 12],
    [2, 6, 10, 14],
    ELECTRIC,
  ),
  style("acoustic", [76, 124], {}, [0, 8], [0, 3, 4, 6, 8, 11, 12, 14], ACOUSTIC),
  style("chorale", [60, 92], {}, [0, 4, 8, 12], [0, 4, 8, 12], ORCHESTRA),
  style("strings", [84, 132], { [KICK]: [0] }, [0, 8], every(2, 16), ORCHESTRA),
  style("piano", [66, 112], {}, [0, 8], every(2, 16), { bass: [0], chords: [0], lead: [0] }),
  {
    ...style(
      "march",
      [104, 124],
      { [KICK]: [0, 8], [SNARE]: [4, 6, 12, 13, 14] },
      [0, 8],
      [4, 12],
      ORCHESTRA,
    ),
    beats: 4,
  },
  { ...style("waltz", [100, 170], { [KICK]: [0], [RIM]: [4, 8] }, [0], [4, 8], ACOUSTIC), beats: 3 },
  {
    ...style(
      "swing",
      [110, 180],
      { [RIDE]: [0, 3, 5, 6, 9, 11], [HAT]: [3, 9], [KICK]: [0] },
      [0, 3, 6, 9],
      [4, 9],
      ACOUSTIC,
    ),
    stepsPerBeat: 3,
  },
  {
    ...style(
      "shuffle",
      [84, 128],
      { [KICK]: [0, 6], [SNARE]: [3, 9], [HAT]: [0, 2, 3, 5, 6, 8, 9, 11] },
      [0, 2, 3, 5, 6, 8, 9, 11],
      [2, 8],
      ELECTRIC,
    ),
    stepsPerBeat: 3,
  },
  {
    ...style(
      "six-eight",
      [54, 76],
      { [KICK]: [0, 6], [SNARE]: [3, 9], [HAT]: every(1, 12) },
      [0, 5, 6],
      every(1, 12),
      ACOUSTIC,
    ),
    stepsPerBeat: 3,
  },
  {
    ...style("jig", [96, 124], { [KICK]: [0, 6], [TAMBOURINE]: [0, 3, 6, 9] }, [0, 6], [3, 9], ACOUSTIC),
    stepsPerBeat: 3,
  },
];

function style(
  name: string,
  [lowBpm, highBpm]: readonly [number, number],
  drums: BandStyle["drums"],
  bass: readonly number[],
  chords: readonly number[],
  programs: BandStyle["programs"],
  swing = 0,
): BandStyle {
  return { name, lowBpm, highBpm, beats: 4, stepsPerBeat: 4, swing, drums, bass, chords, programs };
}
