import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * lab/tune-instruments.ts from 331 pieces; see docs/decisions/0142.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName, number> = new Map([
  ["Piano", 0.95],
  ["Mallets", 0.75],
  ["Organ", 0.723],
  ["Church Organ", 0.723],
  ["Accordion", 0.86],
  ["Guitar", 0.803],
  ["Acoustic Guitar", 0.723],
  ["Electric Guitar", 0.75],
  ["Distorted Guitar", 0.75],
  ["Bass Guitar", 0.95],
  ["Double Bass", 0.75],
  ["Synth Bass", 0.75],
  ["Strings", 0.723],
  ["Violin", 0.75],
  ["Cello", 0.75],
  ["Pizzicato Strings", 0.723],
  ["Harp", 0.95],
  ["Choir", 0.75],
  ["Brass", 0.723],
  ["Trumpet", 0.95],
  ["Saxophone", 0.75],
  ["Woodwinds", 0.868],
  ["Clarinet", 0.95],
  ["Flute", 0.75],
  ["Synth", 0.723],
  ["Drums", 0.723],
  ["Classical", 0.745],
  ["Folk", 0.745],
  ["Solo Piano", 0.815],
]);
