import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * lab/tune-instruments.ts from 797 pieces; see docs/decisions/0137.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName | "Bass", number> = new Map<HeardName | "Bass", number>(
  [
    ["Piano", 0.65],
    ["Harpsichord", 0.839],
    ["Mallets", 0.76],
    ["Organ", 0.65],
    ["Church Organ", 0.65],
    ["Accordion", 0.65],
    ["Guitar", 0.65],
    ["Acoustic Guitar", 0.65],
    ["Electric Guitar", 0.864],
    ["Distorted Guitar", 0.65],
    ["Bass Guitar", 0.862],
    ["Double Bass", 0.95],
    ["Synth Bass", 0.65],
    ["Strings", 0.661],
    ["Violin", 0.65],
    ["Cello", 0.925],
    ["Pizzicato Strings", 0.65],
    ["Harp", 0.65],
    ["Choir", 0.683],
    ["Brass", 0.65],
    ["Trumpet", 0.65],
    ["Trombone", 0.65],
    ["French Horn", 0.65],
    ["Saxophone", 0.95],
    ["Woodwinds", 0.95],
    ["Clarinet", 0.65],
    ["Flute", 0.95],
    ["Synth", 0.65],
    ["Synth Lead", 0.657],
    ["Synth Pad", 0.685],
    ["Drums", 0.65],
    ["Classical", 0.872],
    ["Folk", 0.854],
    ["Jazz", 0.726],
    ["Solo Piano", 0.326],
    ["Bass", 0.432],
  ],
);
