import type { Fact } from "../kernel/facts.ts";
import { fold } from "../kernel/text.ts";
import { afterBlank, beforeBlank } from "./fact-counts.ts";
import { type FactPerson, type FindPerson, ME } from "./fact-wish.ts";
import type { Reading } from "./match.ts";
import { endOf, startOf } from "./reading.ts";
import type { Span } from "./text.ts";
import { isSmallWord } from "./unread.ts";

/** Where a brief names somebody, and who knows the names; `anchors` are the words of facts, which name nobody. */
type Clause = {
  reading: Reading;
  query: string;
  findPerson: FindPerson | undefined;
  floor?: number;
  anchors?: readonly Span[];
};

export type Whom = { person?: FactPerson; isAnybody?: boolean; isNegated?: boolean; except?: FactPerson };

const ANYBODY: readonly (readonly [type: string, found: Whom])[] = [
  ["fact.nobody", { isAnybody: true, isNegated: true }],
  ["fact.anybody", { isAnybody: true }],
];

/** "by Bo", "to nobody", "on the playlist Summer" */
export function personRight(
  { reading, query, findPerson }: Clause,
  row: Fact,
  at: number,
): { found: Whom; end: number; isJoined: boolean } | undefined {
  const joint = row.joins === undefined ? undefined : endOf(reading, `fact.${row.joins}`, at);
  const from = afterBlank(reading, joint ?? at);
  const isJoined = joint !== undefined;
  for (const [type, found] of ANYBODY) {
    const end = endOf(reading, type, from);
    if (end === undefined) continue;
    const but = exceptRight({ reading, query, findPerson }, row, end);
    return but
      ? { found: { ...found, except: but.person }, end: but.end, isJoined }
      : { found, end, isJoined };
  }
  const me = joint === undefined ? undefined : endOf(reading, "fact.me", from);
  if (me !== undefined) return { found: { person: whoAsks(row, findPerson) }, end: me, isJoined };
  const named = findPerson && namedRight({ query, findPerson }, row, from, isJoined);
  return named && { ...named, isJoined };
}

/** "nobody but Ana", "everybody except me" */
function exceptRight(
  clause: Clause,
  row: Fact,
  from: number,
): { person: FactPerson; end: number } | undefined {
  const { reading } = clause;
  const except = endOf(reading, "fact.except", afterBlank(reading, from));
  if (except === undefined || row.joins === undefined) return undefined;
  const at = afterBlank(reading, except);
  const joint = endOf(reading, `fact.${row.joins}`, at);
  return personAt(clause, row, joint === undefined ? at : afterBlank(reading, joint), true);
}

/** "On the playlist Summer", "commence au piano": the word of such a fact has its joint. */
function namedRight(
  { query, findPerson }: { query: string; findPerson: FindPerson },
  row: Fact,
  from: number,
  isJoined: boolean,
): { found: Whom; end: number } | undefined {
  const isOfInstrument = row.joins === "with";
  const words = NAME.exec(query.slice(from))?.[0] ?? "";
  // "Отправлено Ане", "одобрено Аной" have a case in place of the joint.
  const isInCase = /^\p{Script=Cyrillic}/u.test(words) && CAPITALISED.test(words);
  // "What we sent Ana"
  const isGiven = row.joins === "to" && CAPITALISED.test(words);
  const mayStand = isJoined || isOfInstrument || isInCase || isGiven || row.joins === "on";
  if (!mayStand) return undefined;
  const named = nameIn(words, row, isJoined && !isOfInstrument, findPerson);
  if (!named || (isOfInstrument && !isWhole(query.slice(from + named.length)))) return undefined;
  return { found: { person: named.person }, end: from + named.length };
}

/** True where a name ends: "starts with piano" is one, "starts with piano lessons" is none. */
function isWhole(rest: string): boolean {
  const next = /^ *([\p{L}\p{N}'’-]+)/u.exec(rest)?.[1];
  return next === undefined || isSmallWord(fold(next));
}

export const whoAsks = (row: Fact, findPerson: FindPerson | undefined): FactPerson =>
  findPerson?.(row.name, ME) ?? { name: ME, stored: [] };

/** Another person of the same event, and how it joins the one before. */
export type NextPerson = Span & {
  person: FactPerson;
  isNegated: boolean;
  by: "and" | "or" | "but";
  /** It is said whether this one did: "but Ana did". */
  isSaid: boolean;
};

/** The words for "nor" of some languages are those for "or". */
const JOINTS = ["and", "or", "but", "nor"] as const;

/** "Sent to Ana and Bo", "shared with Ana but not with Bo": reads what follows the first person. */
export function nextPerson(
  { reading, query, findPerson, anchors = [] }: Clause,
  row: Fact,
  from: number,
): NextPerson | undefined {
  if (row.joins === undefined) return undefined;
  const at = afterBlank(reading, from);
  const by = JOINTS.find((each) => endOf(reading, `fact.${each}`, at) !== undefined);
  const joined = by ? endOf(reading, `fact.${by}`, at) : reading.text[from] === "," ? from + 1 : undefined;
  if (joined === undefined) return undefined;
  const after = afterBlank(reading, joined);
  const not = endOf(reading, "fact.not", after);
  const before = not === undefined ? after : afterBlank(reading, not);
  const joint = endOf(reading, `fact.${row.joins}`, before);
  const start = joint === undefined ? before : afterBlank(reading, joint);
  if (anchors.some((anchor) => anchor.start === start)) return undefined;
  const found = personAt({ reading, query, findPerson }, row, start, joint !== undefined);
  if (!found) return undefined;
  const next = { person: found.person, start: at, by: joinedBy(by) } as const;
  const [did, didNot] = ["fact.did", "fact.didn't"].map((type) =>
    by === undefined ? undefined : endOf(reading, type, afterBlank(reading, found.end)),
  );
  const said = didNot ?? did;
  return said === undefined
    ? { ...next, end: found.end, isNegated: not !== undefined, isSaid: false }
    : { ...next, end: said, isNegated: didNot !== undefined, isSaid: true };
}

/** What was denied of the first is denied behind "nor" too. */
const joinedBy = (by: (typeof JOINTS)[number] | undefined): NextPerson["by"] =>
  by === undefined || by === "nor" ? "and" : by;

/** "What Ana and Bo have heard", "neither Ana nor Bo has heard": returns who is named before somebody. */
export function previousPerson(
  { reading, query, findPerson, floor = 0 }: Clause,
  row: Fact,
  from: number,
): { person: FactPerson; start: number; by: NextPerson["by"] } | undefined {
  const at = beforeBlank(reading, from);
  const by = JOINTS.find((each) => startOf(reading, `fact.${each}`, at) !== undefined);
  const joint = by && startOf(reading, `fact.${by}`, at);
  if (joint === undefined || by === "but") return undefined;
  const named = namedLeft({ reading, query, findPerson, floor }, row, beforeBlank(reading, joint));
  return named?.found.person && { person: named.found.person, start: named.start, by: joinedBy(by) };
}

/** Somebody who is known, or a name with a capital behind "to" or "by": what goes on after "and" may be about the music. */
function personAt(
  { reading, query, findPerson }: Clause,
  row: Fact,
  start: number,
  isJoined: boolean,
): { person: FactPerson; end: number } | undefined {
  const me = isJoined ? endOf(reading, "fact.me", start) : undefined;
  if (me !== undefined) return { person: whoAsks(row, findPerson), end: me };
  const words = NAME.exec(query.slice(start))?.[0] ?? "";
  const mayBeUnknown = isJoined && row.joins !== "with" && CAPITALISED.test(words);
  const named = findPerson && nameIn(words, row, mayBeUnknown, findPerson);
  return named && { person: named.person, end: start + named.length };
}

/** Returns whom the first words of a text name: the longest name that is known, or one that nobody has. */
function nameIn(
  words: string,
  row: Fact,
  isJoined: boolean,
  findPerson: FindPerson,
): { person: FactPerson; length: number } | undefined {
  const ends = [...words.matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length).toReversed();
  for (const end of ends) {
    const person = findPerson(row.name, words.slice(0, end));
    if (person) return { person, length: end };
  }
  const name = isJoined ? unknownName(words) : undefined;
  return name === undefined ? undefined : { person: { name, stored: [] }, length: name.length };
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}@.'’_+-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}@.'’_+-]*){0,3}/u;
/** A name that nobody has: words with a capital, or one word. */
const CAPITALISED = /^\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)*/u;

function unknownName(words: string): string | undefined {
  const name = CAPITALISED.exec(words)?.[0] ?? words.split(" ")[0]?.replace(/[.'’-]+$/, "");
  return name && !isSmallWord(name.toLowerCase()) ? name : undefined;
}

/** "von Bo" before its verb, or a known name alone: "what Bo never opened". */
export function personLeft(
  { reading, query, findPerson, floor = 0 }: Clause,
  row: Fact,
  at: number,
): { found: Whom; start: number } | undefined {
  if (row.joins === undefined) return undefined;
  const joint = `fact.${row.joins}`;
  for (const [type, found] of ANYBODY) {
    const start = startOf(reading, type, at);
    if (start !== undefined)
      return { found, start: startOf(reading, joint, beforeBlank(reading, start)) ?? start };
  }
  const named = namedLeft({ reading, query, findPerson, floor }, row, at);
  return named && (exceptLeft(reading, named) ?? named);
}

/** "everyone but Ana has opened it" */
function exceptLeft(
  reading: Reading,
  { found, start }: { found: Whom; start: number },
): { found: Whom; start: number } | undefined {
  const except = startOf(reading, "fact.except", beforeBlank(reading, start));
  if (except === undefined || !found.person) return undefined;
  for (const [type, anybody] of ANYBODY) {
    const from = startOf(reading, type, beforeBlank(reading, except));
    if (from !== undefined) return { found: { ...anybody, except: found.person }, start: from };
  }
  return undefined;
}

function namedLeft(
  { reading, query, findPerson, floor = 0 }: Clause,
  row: Fact,
  at: number,
): { found: Whom; start: number } | undefined {
  const joint = `fact.${row.joins}`;
  const me = startOf(reading, "fact.me", at);
  const beforeMe = me === undefined ? undefined : startOf(reading, joint, beforeBlank(reading, me));
  if (beforeMe !== undefined) return { found: { person: whoAsks(row, findPerson) }, start: beforeMe };
  const clauseText = /[\p{L}\p{M}\p{N}@.'’_+ -]*$/u.exec(query.slice(floor, at))?.[0] ?? "";
  const starts = [...clauseText.matchAll(/\S+/g)]
    .slice(-4)
    .map(({ index }) => at - clauseText.length + index);
  for (const start of starts) {
    const joined = startOf(reading, joint, beforeBlank(reading, start));
    const words = query.slice(start, at).replace(/['’]s$/, "");
    const person = findPerson?.(row.name, words);
    if (person) return { found: { person }, start: joined ?? start };
    if (joined !== undefined && row.joins !== "with" && CAPITALISED.exec(words)?.[0] === words)
      return { found: { person: { name: words, stored: [] } }, start: joined };
  }
  return undefined;
}
