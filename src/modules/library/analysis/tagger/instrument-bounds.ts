import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * lab/tune-instruments.ts from 997 pieces; see docs/decisions/0138.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName | "Bass", number> = new Map<HeardName | "Bass", number>(
  [
    ["Piano", 0.752],
    ["Harpsichord", 0.752],
    ["Mallets", 0.753],
    ["Organ", 0.838],
    ["Church Organ", 0.849],
    ["Accordion", 0.878],
    ["Guitar", 0.754],
    ["Acoustic Guitar", 0.758],
    ["Electric Guitar", 0.864],
    ["Distorted Guitar", 0.756],
    ["Bass Guitar", 0.815],
    ["Double Bass", 0.95],
    ["Synth Bass", 0.981],
    ["Strings", 0.751],
    ["Violin", 0.752],
    ["Cello", 0.778],
    ["Pizzicato Strings", 0.779],
    ["Harp", 0.829],
    ["Choir", 0.763],
    ["Brass", 0.751],
    ["Trumpet", 0.759],
    ["Trombone", 0.865],
    ["French Horn", 0.751],
    ["Saxophone", 0.95],
    ["Woodwinds", 0.876],
    ["Clarinet", 0.791],
    ["Flute", 0.773],
    ["Synth", 0.949],
    ["Synth Lead", 0.889],
    ["Synth Pad", 0.77],
    ["Drums", 0.751],
    ["Classical", 0.872],
    ["Folk", 0.854],
    ["Jazz", 0.726],
    ["Solo Piano", 0.326],
    ["Bass", 0.41],
  ],
);
