import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * lab/tune-instruments.ts from 331 pieces; see docs/decisions/0147.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName, number> = new Map([
  ["Piano", 0.675],
  ["Harpsichord", 0.717],
  ["Mallets", 0.95],
  ["Organ", 0.651],
  ["Church Organ", 0.651],
  ["Accordion", 0.86],
  ["Guitar", 0.651],
  ["Acoustic Guitar", 0.651],
  ["Electric Guitar", 0.75],
  ["Distorted Guitar", 0.75],
  ["Bass Guitar", 0.95],
  ["Double Bass", 0.651],
  ["Synth Bass", 0.651],
  ["Strings", 0.672],
  ["Violin", 0.95],
  ["Cello", 0.75],
  ["Pizzicato Strings", 0.651],
  ["Harp", 0.651],
  ["Choir", 0.95],
  ["Brass", 0.651],
  ["Trumpet", 0.823],
  ["French Horn", 0.95],
  ["Saxophone", 0.75],
  ["Woodwinds", 0.785],
  ["Clarinet", 0.651],
  ["Flute", 0.75],
  ["Synth", 0.718],
  ["Synth Lead", 0.651],
  ["Drums", 0.651],
  ["Classical", 0.966],
  ["Folk", 0.996],
  ["Jazz", 0.932],
  ["Solo Piano", 0.529],
]);
