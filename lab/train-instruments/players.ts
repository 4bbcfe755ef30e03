/** How an instrument is played: one tone at a time or chords, and whether its tones last or die away. */
export type Manner = "wind" | "bow" | "keys" | "plucked" | "struck" | "sustained" | "bass";

/** A General MIDI program and what is known of its sound. */
export type Player = {
  program: number;
  manner: Manner;
  lowest: number;
  highest: number;
  /** Taxonomy names of instruments that it is. */
  has: readonly string[];
  /** Names that it might be said to be as well: unknown. */
  perhaps: readonly string[];
};

/** The program that stands for a drum kit. */
export const DRUMS = 128;

/** Programs from, to; manner, lowest and highest tone; names; names after a stroke are unknown. */
const TABLE: readonly (readonly [from: number, to: number, Manner, low: number, high: number, string])[] = [
  [0, 2, "keys", 28, 100, "Piano"],
  [3, 3, "keys", 36, 96, "Piano / Harpsichord"],
  [4, 5, "keys", 36, 90, "Electric Piano / Piano, Mallets"],
  [6, 6, "keys", 36, 86, "Harpsichord"],
  [7, 7, "keys", 36, 80, "/ Harpsichord, Electric Piano, Acoustic Guitar, Guitar"],
  [8, 10, "struck", 60, 100, "Mallets"],
  [11, 14, "struck", 48, 96, "Mallets"],
  [15, 15, "plucked", 50, 86, "/ Mallets, Harp, Acoustic Guitar, Guitar"],
  [16, 18, "sustained", 36, 90, "Organ"],
  [19, 19, "sustained", 36, 90, "Organ, Church Organ"],
  [20, 20, "sustained", 40, 84, "/ Organ, Accordion, Church Organ"],
  [21, 21, "sustained", 45, 90, "Accordion"],
  [22, 22, "wind", 55, 90, "Harmonica / Accordion"],
  [23, 23, "sustained", 45, 90, "Accordion"],
  [24, 25, "plucked", 40, 84, "Guitar, Acoustic Guitar"],
  [26, 28, "plucked", 40, 84, "Guitar, Electric Guitar / Acoustic Guitar"],
  [29, 30, "sustained", 38, 82, "Guitar, Electric Guitar, Distorted Guitar"],
  [32, 32, "bass", 28, 52, "Double Bass"],
  [33, 34, "bass", 28, 52, "Bass Guitar"],
  [35, 37, "bass", 28, 52, "Bass Guitar / Double Bass"],
  [38, 39, "bass", 28, 52, "Synth, Synth Bass"],
  [40, 40, "bow", 55, 98, "Strings, Violin"],
  [41, 41, "bow", 48, 86, "Strings / Violin, Cello"],
  [42, 42, "bow", 36, 76, "Strings, Cello"],
  [43, 43, "bow", 28, 55, "Strings, Double Bass / Cello"],
  [44, 44, "sustained", 40, 90, "Strings / Violin, Cello, Double Bass"],
  [45, 45, "plucked", 40, 90, "Pizzicato Strings / Strings, Harp, Violin, Cello"],
  [46, 46, "plucked", 30, 98, "Harp"],
  [48, 49, "sustained", 36, 92, "Strings / Violin, Cello, Double Bass"],
  [50, 51, "sustained", 36, 90, "Synth / Strings, Synth Pad"],
  [52, 53, "sustained", 43, 84, "Choir"],
  [54, 54, "sustained", 43, 84, "Synth / Choir, Synth Pad"],
  [56, 56, "wind", 54, 86, "Brass, Trumpet"],
  [57, 57, "wind", 36, 74, "Brass, Trombone"],
  [58, 58, "wind", 26, 58, "Brass / Trombone, French Horn"],
  [59, 59, "wind", 54, 86, "Brass / Trumpet"],
  [60, 60, "wind", 36, 77, "Brass, French Horn"],
  [61, 61, "sustained", 40, 84, "Brass / Trumpet, Trombone, French Horn"],
  [62, 63, "sustained", 40, 84, "Synth / Brass, Synth Lead"],
  [64, 66, "wind", 44, 86, "Woodwinds, Saxophone"],
  [67, 67, "wind", 36, 70, "Woodwinds, Saxophone"],
  [68, 69, "wind", 54, 90, "Woodwinds"],
  [70, 70, "wind", 34, 70, "Woodwinds"],
  [71, 71, "wind", 48, 90, "Woodwinds, Clarinet"],
  [72, 75, "wind", 60, 98, "Woodwinds, Flute"],
  [76, 79, "wind", 60, 92, "/ Woodwinds, Flute, Synth"],
  [80, 81, "sustained", 40, 96, "Synth, Synth Lead"],
  [82, 83, "wind", 48, 96, "Synth, Synth Lead / Flute"],
  [84, 84, "wind", 40, 90, "Synth, Synth Lead"],
  [85, 85, "wind", 48, 84, "Synth / Synth Lead, Choir"],
  [86, 87, "sustained", 36, 90, "Synth, Synth Lead"],
  [88, 90, "sustained", 36, 90, "Synth, Synth Pad"],
  [91, 91, "sustained", 43, 86, "Synth, Synth Pad / Choir"],
  [92, 95, "sustained", 36, 90, "Synth, Synth Pad / Strings"],
  [104, 107, "plucked", 45, 86, "/ Acoustic Guitar, Guitar, Harp"],
  [108, 108, "struck", 50, 86, "/ Mallets"],
  [109, 109, "wind", 50, 82, "/ Accordion, Woodwinds"],
  [110, 110, "bow", 55, 96, "/ Strings, Violin"],
];

const namesIn = (text = "") => text.split(",").flatMap((name) => name.trim() || []);

/** Every player, by program. */
export const PLAYERS: readonly Player[] = TABLE.flatMap(([from, to, manner, lowest, highest, names]) => {
  const [has, perhaps] = names.split("/").map(namesIn);
  return Array.from({ length: to - from + 1 }, (_, i) => ({
    program: from + i,
    manner,
    lowest,
    highest,
    has: has ?? [],
    perhaps: perhaps ?? [],
  }));
});

/** Players that are drawn with the same likelihood: their members share it. */
export const KINDS: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [4, 5],
  [6, 7],
  [8, 9, 10, 11, 12, 13, 14, 108],
  [15, 104, 105, 106, 107],
  [16, 17, 18, 19, 20],
  [21, 23, 22],
  [24, 25],
  [26, 27, 28],
  [29, 30],
  [32],
  [33, 34, 35, 36, 37],
  [38, 39],
  [40, 110, 41],
  [42, 43],
  [44, 48, 49],
  [45],
  [46],
  [50, 51, 54, 62, 63],
  [52, 53],
  [56, 59],
  [57, 58],
  [60],
  [61],
  [64, 65, 66, 67],
  [68, 69, 70],
  [71],
  [72, 73, 74, 75],
  [76, 77, 78, 79, 109],
  [80, 81, 82, 83, 84, 85, 86, 87],
  [88, 89, 90, 91, 92, 93, 94, 95],
];
