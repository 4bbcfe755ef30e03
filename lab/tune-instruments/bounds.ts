import { HEARD_GENRES, HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import { suggestion } from "../../src/modules/library/analysis/suggest/evidence.ts";
import {
  HEARD_FAMILY,
  impliedBy,
  isOfFamily,
  likelihoodOfFamily,
} from "../../src/modules/library/analysis/tagger/instruments.ts";

/** How likely each of HEARD_NAMES is in a piece, and 1, 0 or NaN for whether it is there. */
export type Judged = { probabilities: readonly number[]; labels: Float32Array };
export type Bounds = ReadonlyMap<string, number>;

/** A bound is chosen by so many suggestions or more. */
const LEAST_SAID = 3;
/** From its bound on, a name is surely right as often as this in each bank of sounds by itself. */
const LEAST_IN_BANK = 0.5;
/** Rendered pieces flatter: below it, synthesisers of real music are called brass. */
const FLOOR = 0.75;
/**
 * Of genres; made pieces are classical far more often than what musicians upload, so they must be right more often here. One
 * that never is must be right as often as the last says.
 */
const [GENRE_FLOOR, LEAST_OF_GENRE, LEAST_OF_HARD_GENRE] = [0.3, 0.95, 0.82];
const NEVER = 2;
/** Names that were wrong too often when the layer was trained, see docs/decisions/0053: suggested where they are judged. */
const UNPROVEN: readonly string[] = [
  "Electric Piano",
  "Harpsichord",
  "Church Organ",
  "Harmonica",
  "Bass Guitar",
  "Trumpet",
  "Trombone",
  "French Horn",
  "Synth Lead",
  "Synth Pad",
];
/** For another name that too few are said of to judge it. */
const SURE = 0.95;
const asSuggested = (name: string) => suggestion("instruments", name, 1);

type Said = { probability: number; isTrue: boolean };

/** Returns the probability from which each instrument is suggested, by how often it is right in each bank of sounds. */
export function boundsIn(banks: readonly (readonly Judged[])[]): Bounds {
  return boundsOf(
    HEARD_INSTRUMENTS.map((name, j) => {
      const least = leastInEach(banks.map((judged) => saidOf(judged, j)));
      return [name, least === NEVER && !UNPROVEN.includes(name) ? SURE : least];
    }),
  );
}

/** Returns the lowest probability, the floor or more, from which each bank that says anything is surely right; NEVER without one. */
function leastInEach(banks: readonly (readonly Said[])[]): number {
  const all = banks
    .flat()
    .map(({ probability }) => probability)
    .filter((probability) => probability >= FLOOR)
    .sort((a, b) => a - b);
  const from = (bound: number) => (said: readonly Said[]) =>
    said.filter(({ probability }) => probability >= bound);
  const bounds = all.slice(0, Math.max(0, all.length - LEAST_SAID + 1));
  return bounds.find((bound) => banks.map(from(bound)).every(isSurelyRight)) ?? NEVER;
}

/** @see Wilson (1927), "Probable inference, the law of succession, and statistical inference": the lower limit, by one deviation. */
function isSurelyRight(said: readonly Said[]): boolean {
  const [n, right] = [said.length, said.filter(({ isTrue }) => isTrue).length];
  return n === 0 || right + 0.5 - Math.sqrt((right * (n - right)) / n + 0.25) >= LEAST_IN_BANK * (n + 1);
}

/** Returns the probability from which each genre is suggested. */
export function genreBoundsIn(judged: readonly Judged[]): Bounds {
  return boundsOf(
    HEARD_GENRES.map((name) => {
      const said = saidOf(judged, HEARD_NAMES.indexOf(name));
      const bounds = [LEAST_OF_GENRE, LEAST_OF_HARD_GENRE].map((least) => leastOf(said, least, GENRE_FLOOR));
      return [name, bounds.find((bound) => bound !== NEVER) ?? NEVER];
    }),
  );
}

/** What the family must be right in, of pieces in which no member is suggested, and the least probability. */
const [LEAST_OF_FAMILY, FAMILY_FLOOR] = [0.85, 0.3];

/** Returns the probability from which the family is suggested, where none of its members is by their bounds. */
export function familyBoundIn(judged: readonly Judged[], bounds: Bounds): Bounds {
  const said = judged.flatMap((piece) => saidOfFamily(piece, bounds) ?? []);
  return boundsOf([[HEARD_FAMILY, leastOf(said, LEAST_OF_FAMILY, FAMILY_FLOOR)]]);
}

/** Prints how often the family is right. */
export function printFamily(judged: readonly Judged[], bounds: Bounds): void {
  const all = judged.map((piece) => saidOfFamily(piece, bounds));
  const said = all.filter((each) => each && each.probability >= (bounds.get(HEARD_FAMILY) ?? NEVER));
  const right = said.filter((each) => each?.isTrue).length;
  const truth = judged.filter(({ labels }) => familyIn(labels) === 1).length;
  console.log(
    `    ${HEARD_FAMILY}, where no member is suggested: ${right} of ${said.length} right, of ${truth}`,
  );
}

/** Returns whether the family is suggested of a piece; undefined where a member is, or nobody knows. */
function saidOfFamily({ probabilities, labels }: Judged, bounds: Bounds): Said | undefined {
  const isMemberSaid = HEARD_INSTRUMENTS.some(
    (name, i) => isOfFamily(name) && (probabilities[i] ?? 0) >= (bounds.get(name) ?? NEVER),
  );
  const label = familyIn(labels);
  if (isMemberSaid || Number.isNaN(label)) return undefined;
  return { probability: likelihoodOfFamily(probabilities), isTrue: label === 1 };
}

/** Returns 1, 0 or NaN for whether a member is there. */
function familyIn(labels: Float32Array): number {
  const members = HEARD_INSTRUMENTS.flatMap((name, i) => (isOfFamily(name) ? [labels[i] as number] : []));
  return members.includes(1) ? 1 : members.some(Number.isNaN) ? Number.NaN : 0;
}

const boundsOf = (all: readonly (readonly [string, number])[]) =>
  new Map(all.filter(([, least]) => least <= 1));

function saidOf(judged: readonly Judged[], name: number): Said[] {
  return judged.flatMap(({ probabilities, labels }) =>
    Number.isNaN(labels[name]) ? [] : [{ probability: probabilities[name] ?? 0, isTrue: labels[name] === 1 }],
  );
}

/** Returns the lowest probability, the floor or more, from which suggestions are right often enough; NEVER without one. */
function leastOf(all: readonly Said[], precision: number, floor: number): number {
  let [right, least] = [0, NEVER];
  for (const [rank, { isTrue, probability }] of all
    .toSorted((a, b) => b.probability - a.probability)
    .entries()) {
    if (probability < floor) break;
    if (isTrue) right++;
    if (rank + 1 >= LEAST_SAID && right >= precision * (rank + 1)) least = probability;
  }
  return least;
}

type Count = { name: string; right: number; said: number; truth: number };

/** Prints how many suggestions are right in each bank of sounds by bounds that the others choose. */
export function printCrossed(names: readonly string[], banks: readonly (readonly Judged[])[]): void {
  for (const [i, judged] of banks.entries()) {
    const counts = countsOf(judged, boundsIn(banks.filter((_, other) => other !== i)));
    console.log(`${names[i]}, by bounds of the others: ${textOf(counts.slice(0, HEARD_INSTRUMENTS.length))}`);
  }
}

/** Prints how many suggestions are right, with what they imply, of how many to be found. */
export function printJudged(title: string, judged: readonly Judged[], bounds: Bounds): void {
  const counts = countsOf(judged, bounds);
  console.log(`${title} (${judged.length}): ${textOf(counts.slice(0, HEARD_INSTRUMENTS.length))}`);
  for (const count of counts)
    console.log(
      `    ${count.name.padEnd(20)}${textOf([count])}, from ${bounds.get(count.name)?.toFixed(2) ?? "never"}`,
    );
}

function countsOf(judged: readonly Judged[], bounds: Bounds): Count[] {
  const suggested = judged.map(({ probabilities }) => namesIn(probabilities, bounds));
  return HEARD_NAMES.map((name, j): Count => {
    const known = judged.map(({ labels }, i) => ({
      label: labels[j],
      isSaid: suggested[i]?.has(name) === true,
    }));
    const count = (isMeant: (each: (typeof known)[number]) => boolean) => known.filter(isMeant).length;
    return {
      name,
      right: count(({ label, isSaid }) => isSaid && label === 1),
      said: count(({ label, isSaid }) => isSaid && !Number.isNaN(label)),
      truth: count(({ label }) => label === 1),
    };
  });
}

function namesIn(probabilities: readonly number[], bounds: Bounds): Set<string> {
  const said = HEARD_NAMES.filter((name, j) => (probabilities[j] ?? 0) >= (bounds.get(name) ?? NEVER));
  const players = said.filter((name) => HEARD_INSTRUMENTS.some((instrument) => instrument === name));
  return new Set([...said, ...impliedBy(players.map(asSuggested)).map(({ name }) => name)]);
}

function textOf(counts: readonly Count[]): string {
  const sum = (key: "right" | "said" | "truth") => counts.reduce((all, count) => all + count[key], 0);
  return `${sum("right")} of ${sum("said")} right, of ${sum("truth")}`;
}
