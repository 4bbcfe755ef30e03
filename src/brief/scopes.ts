import type { Reading } from "./match.ts";
import { begins, endOf, endsAt, nextOf, spansOf } from "./reading.ts";
import { type Cue, isThing, kindOf, kindOfWord, throughList } from "./scope-lists.ts";
import { isWithin, mergeSpans, type Span, spanOf } from "./text.ts";

/**
 * Where a brief rejects something: spans of what is unwanted, and of what does not matter. `denials` only say so, although
 * their words name music elsewhere: "drop the vocals", "vocal-free".
 */
export type Scopes = { unwanted: readonly Span[]; indifferent: readonly Span[]; denials: readonly Span[] };

/** A negation reaches at most this far past its cue, in characters. */
const REACH = 300;
/** An exception follows the word that allows everything within this many characters. */
const SWEEP = 30;
/** "Now" follows an earlier plan within this many characters. */
const UNTIL_NOW = 60;

/** Finds the negations of a brief. */
export function findScopes(reading: Reading): Scopes {
  const innocent = spansOf(reading, "negation.innocent");
  const openings = spansOf(reading, "negation.indifferent").filter(({ start }) => !isWithin(innocent, start));
  const indifferent = [...openings.map((cue) => scopeAfter(reading, cue)), ...indifferentBefore(reading)];
  const paired = pairedRefusals(reading);
  const after = verdictsOf(reading);
  const known = [...openings, ...innocent, ...paired, ...after];
  const single = cuesOf(reading).filter(
    ({ start }) => !isWithin(known, start) && !isWithin(indifferent, start),
  );
  const cues = withoutUndone(reading, single);
  const exceptions = spansOf(reading, "negation.exception");
  const [allowed, refused] = partition(exceptions, (span) => isException(reading, span, cues));
  const unwanted = [...cues, ...refused].map((cue) => stopAt(scopeAfter(reading, cue), allowed));
  return {
    unwanted: mergeSpans([
      ...unwanted,
      ...scopesBefore(reading, [...after, ...paired]),
      ...spansOf(reading, "negation.free of it"),
    ]),
    indifferent: mergeSpans(indifferent),
    denials: [...removalsOf(reading), ...spansOf(reading, "voice.voiceless")],
  };
}

function cuesOf(reading: Reading): Span[] {
  const untilNow = spansOf(reading, "negation.opening until now").filter(({ end }) =>
    /^[^.;!?\n]*\bnow\b/.test(reading.text.slice(end, end + UNTIL_NOW)),
  );
  const asked = spansOf(reading, "negation.rhetorical").filter(({ start }) => opensClause(reading, start));
  const others = spansOf(reading, "negation.preference").map(({ end }) => ({
    start: end,
    end: endOf(reading, "negation.preferred over", end) ?? end,
  }));
  const opened = [...spansOf(reading, "negation.opening"), ...removalsOf(reading)];
  const cues = [...opened, ...untilNow, ...asked, ...others];
  return cues.toSorted((a, b) => a.start - b.start);
}

/** "Drop the vocals" and "please cut the strings" ask for a removal; in "the drop the client loved" nobody does. */
function removalsOf(reading: Reading): Span[] {
  return [...spansOf(reading, "negation.removal"), ...spansOf(reading, "negation.swap")].filter(
    ({ start }) => opensClause(reading, start) || endsAt(reading, "negation.ordering before", start),
  );
}

const opensClause = ({ text }: Reading, at: number): boolean =>
  /(?:^|[.,;:!?|()\n-])\s*$/.test(text.slice(Math.max(0, at - 3), at));

/** Between two negations of one phrase there is neither a sign nor a conjunction. */
const APART = /[.,;:!?()|\n]|\b(?:and|or|nor|but)\b/;

/** "Nothing without drums" asks for drums: drops two negations when the second one is inside the first. */
function withoutUndone(reading: Reading, cues: readonly Span[]): Span[] {
  const undone = spansOf(reading, "negation.lacks").flatMap((lack) => {
    const first = cues.findLast(({ end }) => end <= lack.start);
    const isOne = first && !APART.test(reading.text.slice(first.end, lack.start));
    return isOne ? [first, lack] : [];
  });
  return cues.filter(({ start }) => !isWithin(undone, start));
}

/** "Folk is ok, bluegrass is not": a bare refusal counts beside something approved. */
function pairedRefusals(reading: Reading): readonly Span[] {
  return spansOf(reading, "negation.approves").length > 0 ? spansOf(reading, "negation.paired") : [];
}

/** "brass or no brass" */
const OR_NONE = /(?<!\p{L})(\p{L}+) or (?:no|without|not) \1(?!\p{L})/gu;

function indifferentBefore(reading: Reading): Span[] {
  const left = spansOf(reading, "negation.indifferent before").map(({ start, end }) => ({
    start: clauseStart(reading, start),
    end,
  }));
  const unheeded = spansOf(reading, "negation.unheeded").map(({ start, end }) => ({
    start: referredStart(reading, start),
    end,
  }));
  return [...left, ...unheeded, ...[...reading.text.matchAll(OR_NONE)].map(spanOf)];
}

/** Returns true when an exception follows a negation in its sentence, and not a word such as "anything". */
function isException(reading: Reading, span: Span, cues: readonly Span[]): boolean {
  const sentence = startAfter(reading.text, span.start, ".;!?\n");
  const cue = cues.findLast(({ start }) => start >= sentence && start < span.start);
  return cue !== undefined && !isSwept(reading, cue.start, span.start);
}

/** Returns true for "Anything with drums except ...". */
function isSwept(reading: Reading, from: number, to: number): boolean {
  return spansOf(reading, "negation.sweeping").some(
    ({ start, end }) =>
      start >= from && end <= to && to - end <= SWEEP && !/[.;:!?\n]/.test(reading.text.slice(end, to)),
  );
}

function stopAt(scope: Span, exceptions: readonly Span[]): Span {
  const stop = exceptions.find(({ start }) => start > scope.start && start < scope.end);
  return stop ? { start: scope.start, end: stop.start } : scope;
}

function scopeAfter(reading: Reading, { start, end }: Span): Span {
  const { text } = reading;
  const last = Math.min(text.length, end + REACH);
  if (begins(reading, "negation.past", start))
    return { start, end: Math.min(nextOf(reading, "negation.past close", end), last) };
  if (begins(reading, "negation.swap", start))
    return { start, end: Math.min(nextOf(reading, "negation.swap close", end), last) };
  const joined = /^-[\p{L}]+/u.exec(text.slice(end, last));
  // "non-cheesy romantic" rejects one word.
  if (joined) return { start, end: end + joined[0].length };
  const voice = endOf(reading, "negation.voice only", end);
  if (voice !== undefined) return { start, end: voice };
  const cue: Cue = {
    text: text.slice(start, end),
    isVerb: begins(reading, "negation.verb", start),
    isListed: begins(reading, "negation.listed", start),
    isSurfeit: begins(reading, "negation.surfeit", start),
  };
  const close = Math.min(closeOf(reading, end, cue), last);
  const rest = text.slice(end, last);
  return { start, end: end + throughList(reading, end, rest, cutAtTurn(rest, close - end), cue) };
}

const AND_THE = /^and (?:the|any|all) /;
const WITH = /^with /;

/** Returns the end of a negation. "No more folk with stomps" says which folk there was too much of. */
function closeOf(reading: Reading, from: number, { isVerb, isSurfeit }: Cue): number {
  const lead = endOf(reading, "negation.lead", from) ?? from;
  const first = lead + (/^\s*[^\s,.;:!?|()]*/.exec(reading.text.slice(lead))?.[0].length ?? 0);
  const stop = nextClose(reading, first);
  const rest = reading.text.slice(stop);
  const joint = (isVerb && AND_THE.exec(rest)) || (isSurfeit && WITH.exec(rest));
  return joint ? nextClose(reading, stop + joint[0].length) : stop;
}

/** Returns where a sign, a turn or a verb of wishing ends a negation: "hates saxophones and loves Rhodes". */
function nextClose(reading: Reading, from: number): number {
  const wish = spansOf(reading, "negation.wishing").find(
    ({ start }) => start >= from && !endsAt(reading, "negation.related before", start),
  );
  return Math.min(nextOf(reading, "negation.close", from), wish?.start ?? reading.text.length);
}

/** "no drums and dark" rejects only the drums: a feeling after "and" does not continue a list of things. */
function cutAtTurn(rest: string, close: number): number {
  for (const match of rest.slice(0, close).matchAll(/\s(?:and|&)\s+([\p{L}'-]+)/gu)) {
    if (kindOf(rest.slice(0, match.index)) !== "feeling" && kindOfWord(match[1] ?? "") === "feeling")
      return match.index;
  }
  return close;
}

/** Returns the verdicts about what stands before them: "trap is out", "brass not welcome". */
function verdictsOf(reading: Reading): Span[] {
  const bare = spansOf(reading, "negation.bare verdict").filter(({ start }) =>
    isThing(reading.text.slice(clauseStart(reading, start), start)),
  );
  // "Dark techno that was rejected" says what became of a track.
  const judged = spansOf(reading, "negation.afterwards").filter(
    ({ start, end }) =>
      !(endsAt(reading, "negation.event", end) && endsAt(reading, "negation.relative before", start)),
  );
  return [...judged, ...bare];
}

function scopesBefore(reading: Reading, verdicts: readonly Span[]): Span[] {
  const direct = verdicts.map(({ start, end }) => ({ start: judgedStart(reading, start), end }));
  const referring = spansOf(reading, "negation.of that").map(({ start, end }) => ({
    start: referredStart(reading, start),
    end,
  }));
  return [...direct, ...referring, ...spansOf(reading, "negation.kept out")];
}

/** An item before the last one of a list, such as "strings and". */
const ITEM_BEFORE = /(?:^|[.;:!?(\n,]|\band\b|\bor\b)([^.;:!?()\n,]*?)(?:,|,?\s+(and|or|&))\s*$/;

/** Returns where the things begin that a verdict in the plural is about: "trap and drill are out". */
function judgedStart(reading: Reading, at: number): number {
  const { text } = reading;
  let start = clauseStart(reading, at);
  if (!begins(reading, "negation.plural", at) || !isThing(text.slice(start, at))) return start;
  for (let isList = false; ; isList = true) {
    const item = ITEM_BEFORE.exec(text.slice(Math.max(0, start - REACH), start));
    const [, thing = "", joint] = item ?? [];
    if (!item || !isThing(thing) || !(isList || joint)) return start;
    start -= item[0].length - item[0].lastIndexOf(thing);
  }
}

/** Words that connect "he hates it" and similar clauses to the text before. */
const JOINED_ON = /[\s,-]*(?:\b(?:because|since|as|and|but|so|cos)\b)?(?:\s+\p{L}+(?:'\p{L}+)?)?\s*$/u;

/** "sweet but not sad because she'd hate that" refers to "sad" alone. */
function referredStart(reading: Reading, at: number): number {
  const said = reading.text.slice(Math.max(0, at - REACH), at);
  const end = at - said.length + said.replace(JOINED_ON, "").length;
  return Math.max(startAfter(reading.text, end, CLAUSE_SIGNS), lastEnd(reading, "negation.but", end));
}

const CLAUSE_SIGNS = ".;!?|\n,():";

/** Returns where the clause before `at` begins; a "that" alone refers to the clause before it. */
function clauseStart(reading: Reading, at: number): number {
  const { text } = reading;
  const sign = startAfter(text, at, CLAUSE_SIGNS);
  // "Vocals? Not needed": an answer refers to its question.
  if (text[sign - 1] === "?" && text.slice(sign, at).trim() === "") return clauseStart(reading, sign - 1);
  const joint = spansOf(reading, "negation.clause joint").findLast(({ end }) => end <= at);
  // "Strings would be nice but aren't essential": both verbs are about the strings.
  if (joint && joint.start > sign && text.slice(joint.end, at).trim() === "")
    return clauseStart(reading, joint.start);
  const start = Math.max(sign, joint?.end ?? 0);
  if (!endsAt(reading, "negation.pronoun before", at)) return start;
  const before = text.slice(Math.max(0, start - REACH), start).replace(/[\s,]*(?:but|and|so)?\s*$/, "");
  return startAfter(text, Math.max(0, start - REACH) + before.length, CLAUSE_SIGNS);
}

/** Returns the place after the last of the signs before `at`. */
function startAfter(text: string, at: number, signs: string): number {
  let start = at;
  while (start > 0 && !signs.includes(text[start - 1] ?? "")) start--;
  return start;
}

/** Returns the end of the last phrase of the type before `at`; 0 when no phrase precedes it. */
function lastEnd(reading: Reading, type: string, at: number): number {
  return spansOf(reading, type).findLast(({ end }) => end <= at)?.end ?? 0;
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
