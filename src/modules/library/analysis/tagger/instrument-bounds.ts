import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * lab/train-instruments.ts from 5023 pieces; see docs/decisions/0053.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName, number> = new Map([
  ["Piano", 0.745],
  ["Mallets", 0.745],
  ["Organ", 0.745],
  ["Accordion", 0.745],
  ["Guitar", 0.858],
  ["Acoustic Guitar", 0.903],
  ["Electric Guitar", 0.892],
  ["Distorted Guitar", 0.879],
  ["Double Bass", 0.882],
  ["Synth Bass", 0.745],
  ["Strings", 0.745],
  ["Violin", 0.745],
  ["Cello", 0.745],
  ["Pizzicato Strings", 0.745],
  ["Harp", 0.789],
  ["Choir", 0.745],
  ["Brass", 0.745],
  ["Saxophone", 0.824],
  ["Woodwinds", 0.759],
  ["Clarinet", 0.745],
  ["Flute", 0.866],
  ["Synth", 0.78],
  ["Drums", 0.745],
  ["Classical", 0.745],
  ["Folk", 0.745],
  ["Solo Piano", 0.815],
]);
