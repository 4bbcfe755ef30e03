import { HEARD_GENRES, HEARD_NAMES, HEARD_NUMBERS, HEARD_TAGS } from "../../../../ears/tags.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { suggestion } from "../suggest/evidence.ts";
import { MOST_CONFIDENCE, MOST_UNSAID } from "./heard.ts";
import { INSTRUMENT_BOUNDS } from "./instrument-bounds.ts";

/**
 * Returns the instruments that the ears know, and genres that follow from who plays, with their calibrated probability;
 * it is cut down where they are not sure.
 * Nothing where an older version has listened, which did not hear them.
 */
export function instrumentsHeard(heard: ArrayLike<number>): TagSuggestion[] {
  if (heard.length !== HEARD_NUMBERS) return [];
  return HEARD_NAMES.map((name, i) => {
    const probability = 1 / (1 + Math.exp(-(heard[HEARD_TAGS.length + i] ?? 0)));
    const isSure = probability >= (INSTRUMENT_BOUNDS.get(name) ?? Number.POSITIVE_INFINITY);
    return suggestion(categoryOf(name), name, Math.min(isSure ? MOST_CONFIDENCE : MOST_UNSAID, probability));
  });
}

const GENRES: readonly string[] = HEARD_GENRES;
const categoryOf = (name: string) => (GENRES.includes(name) ? "genres" : "instruments");

/** What an instrument is as well, by names of HEARD_NAMES. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  "Acoustic Guitar": ["Guitar"],
  "Electric Guitar": ["Guitar"],
  "Distorted Guitar": ["Electric Guitar", "Guitar"],
  Violin: ["Strings"],
  Cello: ["Strings"],
  Trumpet: ["Brass"],
  Trombone: ["Brass"],
  "French Horn": ["Brass"],
  Saxophone: ["Woodwinds"],
  Clarinet: ["Woodwinds"],
  Flute: ["Woodwinds"],
  "Church Organ": ["Organ"],
  "Synth Bass": ["Synth"],
  "Synth Lead": ["Synth"],
  "Synth Pad": ["Synth"],
};
const CHOIR = "Choir";

/** Returns what the suggested instruments imply, as sure as they are: their families, and the voices of a choir. */
export function impliedBy(tags: readonly TagSuggestion[]): TagSuggestion[] {
  return tags
    .filter(({ category, confidence }) => category === "instruments" && confidence > MOST_UNSAID)
    .flatMap(({ name, confidence }) => [
      ...(FAMILIES[name] ?? []).map((family) => suggestion("instruments", family, confidence)),
      ...(name === CHOIR ? [suggestion("vocals", CHOIR, confidence)] : []),
    ]);
}
