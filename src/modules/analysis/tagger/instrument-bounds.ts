import type { HEARD_INSTRUMENTS } from "../../../ears/tags.ts";

/**
 * The least probability from which an instrument is suggested; the others never are. Written by
 * scripts/train-instruments.ts from 3843 pieces; see docs/decisions/0053.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<(typeof HEARD_INSTRUMENTS)[number], number> = new Map([
  ["Piano", 0.774],
  ["Mallets", 0.725],
  ["Organ", 0.789],
  ["Accordion", 0.687],
  ["Guitar", 0.914],
  ["Acoustic Guitar", 0.921],
  ["Distorted Guitar", 0.901],
  ["Synth Bass", 0.657],
  ["Strings", 0.736],
  ["Violin", 0.851],
  ["Choir", 0.503],
  ["Brass", 0.794],
  ["Saxophone", 0.859],
  ["Woodwinds", 0.94],
  ["Clarinet", 0.911],
  ["Synth", 0.82],
  ["Drums", 0.5],
]);
