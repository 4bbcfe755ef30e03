import type { HeardName } from "../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * scripts/train-instruments.ts from 5023 pieces; see docs/decisions/0053.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName, number> = new Map([
  ["Piano", 0.824],
  ["Mallets", 0.824],
  ["Organ", 0.824],
  ["Accordion", 0.824],
  ["Guitar", 0.824],
  ["Acoustic Guitar", 0.824],
  ["Electric Guitar", 0.883],
  ["Distorted Guitar", 0.824],
  ["Double Bass", 0.824],
  ["Synth Bass", 0.824],
  ["Strings", 0.824],
  ["Violin", 0.824],
  ["Cello", 0.824],
  ["Pizzicato Strings", 0.824],
  ["Harp", 0.824],
  ["Choir", 0.824],
  ["Brass", 0.824],
  ["Saxophone", 0.824],
  ["Woodwinds", 0.824],
  ["Clarinet", 0.824],
  ["Flute", 0.824],
  ["Synth", 0.824],
  ["Synth Lead", 0.824],
  ["Drums", 0.824],
  ["Classical", 0.824],
  ["Folk", 0.824],
  ["Solo Piano", 0.824],
]);
