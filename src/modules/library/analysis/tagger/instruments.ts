import { type HeardPassages, likeliestIn } from "../../../../ears/places.ts";
import {
  HEARD_GENRES,
  HEARD_INSTRUMENTS,
  HEARD_NUMBERS,
  HEARD_TAGS,
  type HeardName,
} from "../../../../ears/tags.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { suggestion } from "../suggest/evidence.ts";
import { genreByPlayers } from "./genres-by-players.ts";
import { MOST_CONFIDENCE, MOST_UNSAID } from "./heard.ts";
import { INSTRUMENT_BOUNDS } from "./instrument-bounds.ts";
import { PLAYER_WEIGHTS } from "./player-weights.ts";

/** How likely an instrument must be in the passages of a part, of which a recording has many, to be suggested by them. */
const LEAST_IN_PART = 0.85;
const NEVER = Number.POSITIVE_INFINITY;
/** What is said where it is not sure which of its members plays: they are often taken for each other. */
export const HEARD_FAMILY = "Bass";
const MEMBERS: readonly HeardName[] = ["Bass Guitar", "Double Bass", "Synth Bass"];
/** From its bound on, a name is right nine times of ten, however rare it is and so however unlikely. */
const LEAST_SURE = 0.5;

/**
 * Returns the instruments that the ears know, and genres that follow from who plays, with their calibrated probability;
 * it is cut down where they are not sure.
 * Nothing where an older version has listened, which did not hear them.
 *
 * @param passages What was heard in the whole recording, for instruments that play in a part of it.
 */
export function instrumentsHeard(heard: ArrayLike<number>, passages?: HeardPassages): TagSuggestion[] {
  if (heard.length !== HEARD_NUMBERS) return [];
  const players = HEARD_INSTRUMENTS.map((_, i) => 1 / (1 + Math.exp(-(heard[HEARD_TAGS.length + i] ?? 0))));
  const instruments = HEARD_INSTRUMENTS.map((name, i) => {
    const usual = players[i] as number;
    const inPart = passages ? likeliestIn(passages, name) : 0;
    const isInPart = inPart >= Math.max(LEAST_IN_PART, INSTRUMENT_BOUNDS.get(name) ?? NEVER);
    return boundedSuggestion("instruments", name, isInPart ? Math.max(usual, inPart) : usual);
  });
  const genres = HEARD_GENRES.map((name) =>
    boundedSuggestion("genres", name, genreByPlayers(name, PLAYER_WEIGHTS[name], players)),
  );
  return [...instruments, ...genres, ...familyHeard(instruments, players)];
}

/** Returns the family, where none of its members is suggested. */
function familyHeard(instruments: readonly TagSuggestion[], players: readonly number[]): TagSuggestion[] {
  const isSaid = HEARD_INSTRUMENTS.some(
    (name, i) => isOfFamily(name) && (instruments[i]?.confidence ?? 0) > MOST_UNSAID,
  );
  if (isSaid) return [];
  return [boundedSuggestion("instruments", HEARD_FAMILY, likelihoodOfFamily(players))];
}

/** Returns how likely the family is, as far as its likeliest member tells, from how likely each of HEARD_INSTRUMENTS is. */
export const likelihoodOfFamily = (players: readonly number[]): number =>
  Math.max(...HEARD_INSTRUMENTS.map((name, i) => (isOfFamily(name) ? (players[i] ?? 0) : 0)));

/** True for the members of {@link HEARD_FAMILY}. */
export const isOfFamily = (name: HeardName): boolean => MEMBERS.includes(name);

/** Returns a suggestion that is cut down where it is not sure enough. */
function boundedSuggestion(
  category: TagSuggestion["category"],
  name: HeardName | typeof HEARD_FAMILY,
  probability: number,
): TagSuggestion {
  const isSure = probability >= (INSTRUMENT_BOUNDS.get(name) ?? NEVER);
  const sure = Math.min(MOST_CONFIDENCE, Math.max(LEAST_SURE, probability));
  return suggestion(category, name, isSure ? sure : Math.min(MOST_UNSAID, probability));
}

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
