import { meaningOf } from "./lexicon.ts";
import {
  AFTERWARDS,
  CUES,
  END,
  EXCEPTION,
  INDIFFERENCE,
  INDIFFERENT_BEFORE,
  INNOCENT,
  KEPT_OUT,
  LEADING,
  OF_THAT,
  PAIRED_NO,
  PRONOUN,
  SWEEPING,
} from "./negation-words.ts";
import { isWithin, mergeSpans, type Span, spanOf } from "./text.ts";

/** Where a brief takes something back: spans of what is unwanted, and of what is said not to matter. */
export type Scopes = { unwanted: readonly Span[]; indifferent: readonly Span[] };

/** Finds the negations of a brief, given as plain text. */
export function findScopes(plain: string): Scopes {
  const innocent = [...plain.matchAll(INNOCENT)].map(spanOf);
  const openings = [...plain.matchAll(INDIFFERENCE)]
    .map(spanOf)
    .filter(({ start }) => !isWithin(innocent, start));
  const indifferent = [...openings.map((cue) => scopeAfter(plain, cue)), ...indifferentBefore(plain)];
  const cues = [...plain.matchAll(CUES)]
    .map(spanOf)
    .filter(({ start }) => !isWithin([...openings, ...innocent], start) && !isWithin(indifferent, start));
  const exceptions = [...plain.matchAll(EXCEPTION)].map(spanOf);
  const [allowed, refused] = partition(exceptions, (span) => isException(plain, span, cues));
  const unwanted = [...cues, ...refused].map((cue) => stopAt(scopeAfter(plain, cue), allowed));
  return {
    unwanted: mergeSpans([...unwanted, ...scopesBefore(plain), ...suffixed(plain)]),
    indifferent: mergeSpans(indifferent),
  };
}

function indifferentBefore(plain: string): Span[] {
  return [...plain.matchAll(INDIFFERENT_BEFORE)].map((match) => ({
    start: clauseStart(plain, match.index),
    end: match.index + match[0].length,
  }));
}

/** An exception stands in the sentence of a negation that does not sweep everything in. */
function isException(plain: string, span: Span, cues: readonly Span[]): boolean {
  const sentence = plain.slice(0, span.start).search(/[^.;!?\n]*$/);
  const cue = cues.findLast(({ start }) => start >= sentence && start < span.start);
  return cue !== undefined && !SWEEPING.test(plain.slice(cue.start, span.start));
}

function stopAt(scope: Span, exceptions: readonly Span[]): Span {
  const stop = exceptions.find(({ start }) => start > scope.start && start < scope.end);
  return stop ? { start: scope.start, end: stop.start } : scope;
}

function scopeAfter(plain: string, { start, end }: Span): Span {
  const rest = plain.slice(end, end + 300);
  if (FORMERLY.test(plain.slice(start, end))) return { start, end: end + Math.max(0, endOfPast(rest)) };
  const joined = /^-[\p{L}]+/u.exec(rest);
  // "non-cheesy romantic" takes one word back.
  if (joined) return { start, end: end + joined[0].length };
  const voice = VOICE_ALONE.exec(rest);
  if (voice) return { start, end: end + voice[0].length };
  const lead = LEADING.exec(rest)?.[0].length ?? 0;
  const close = closeOf(rest, lead, plain.slice(start, end));
  return { start, end: end + throughList(rest, cutAtTurn(rest, close), plain.slice(start, end)) };
}

/** Verbs of which a list goes on with "and": "skip the bells and the choir". */
const VERB =
  /^(?:avoid|exclud|without|free|clear|skip|hate|tired|sick|bored|away|stay|steer|ban|leave|lose|ditch)/;
const AND_THE = /^and (?:the|any|all) /;

/** Where a negation ends, counted from its cue. */
function closeOf(rest: string, lead: number, cue: string): number {
  const stop = rest.slice(lead).search(END);
  if (stop === -1) return rest.length;
  const joint = AND_THE.exec(rest.slice(lead + stop));
  if (!joint || !VERB.test(cue)) return lead + stop;
  const next = rest.slice(lead + stop + joint[0].length).search(END);
  return next === -1 ? rest.length : lead + stop + joint[0].length + next;
}

/** What was tried before is not wanted: "previously it was very corporate, ukulele and glock". */
const FORMERLY =
  /^(?:was|were|previously|originally|initially|formerly|used to|the (?:old|last|previous|first))/;
/** "no vox lofi 72bpm": where nothing joins on, only the voice is taken back. */
const VOICE_ALONE =
  /^\s+(?:the |any |lead |main )?(?:vocals|vox|singing|voices|lyrics|words|vocal(?=\s+\p{L}+\s+\d))(?=\s+(?!or\b|nor\b|and\b|in\b|about\b|at\b|of\b|that\b|which\b|with\b|you\b|like\b|whatsoever\b|please\b|please|samples?\b|chops?\b)[\p{L}\d])/u;

function endOfPast(rest: string): number {
  const stop = rest.search(/[.;!?\n]|\b(?:but|now|this time|instead|then|so)\b/);
  return stop === -1 ? rest.length : stop;
}

/** "no drums and dark" takes back the drums only: after "and" a feeling does not go on with a list of things. */
function cutAtTurn(rest: string, close: number): number {
  for (const match of rest.slice(0, close).matchAll(/\s(?:and|&)\s+([\p{L}'-]+)/gu)) {
    if (kindOf(rest.slice(0, match.index)) !== "feeling" && kindOfWord(match[1] ?? "") === "feeling")
      return match.index;
  }
  return close;
}

/** A list of what is not wanted does not go on with these. */
const TURN =
  /^,\s*(?:and |but )?(?:just|only|but|more|instead|plus|with|some|lots|plenty|maybe|think|like|ideally|please|mostly|mainly|purely|simply|around|about|keep|make|give|we|i|it|they|something|very|really|a|an|the)\b/;
/** "AVOID - ukulele, claps" */
const DASHED = /^\s+-\s[^\n.;[|]*/;
const LISTED = /^\s*[:\]=]*[^\n.;[|]*/;

/** "no drums, bass or vocals", "avoid: trap, dubstep": a list is taken back to its end. */
function throughList(rest: string, close: number, cue: string): number {
  const marked = markedList(rest, cue);
  if (marked !== undefined) return marked;
  if (!rest.slice(close).startsWith(",")) return close;
  if (TURN.test(rest.slice(close))) return close;
  const list = listAt(rest.slice(close), VERB.test(cue) ? /\b(?:and|or|nor)\b|&/ : /\b(?:or|nor)\b/);
  if (list === undefined) return close;
  const [first, last] = [kindOf(rest.slice(0, close)), kindOf(list)];
  const goesOn =
    first === last || first === undefined || last === undefined || (first === "thing" && last === "voice");
  return goesOn ? close + list.trimEnd().length : close;
}

/** The length of a list after a colon or a dash. */
function markedList(rest: string, cue: string): number | undefined {
  const hasColon = /:$/.test(cue) || /^\s*[:\]=]/.test(rest);
  if (hasColon) return LISTED.exec(rest)?.[0].length;
  return /^(?:avoid|exclud)/.test(cue) ? DASHED.exec(rest)?.[0].length : undefined;
}

const MOST_ITEM_WORDS = 3;

/** ", bass or vocals": the rest of a list, whose items are short and whose last one is joined on. */
function listAt(rest: string, joint: RegExp): string | undefined {
  const sentence = /^[^.;:!?|()\n]*/.exec(rest)?.[0] ?? "";
  let end = 0;
  for (const item of sentence.slice(1).split(",")) {
    const parts = item.split(joint).map((part) =>
      part
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ""),
    );
    end += item.length + 1;
    if (parts.length > 1) return endOfJoined(rest.slice(0, end), item, joint);
    if (parts.some((words) => words.length > MOST_ITEM_WORDS)) return undefined;
  }
  return undefined;
}

/** A joined item ends the list; what follows its few words belongs to something else. */
function endOfJoined(list: string, item: string, joint: RegExp): string {
  const match = joint.exec(item);
  const after = item.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
  const words = /^\s*(?:[\p{L}\p{N}'&/-]+(?: [\p{L}\p{N}'&/-]+){0,2})?/u.exec(after)?.[0] ?? "";
  return list.slice(0, list.length - after.length + words.length);
}

const TREATED = /^(?:auto-?tuned?|chops|ad-?libs?|vocoders?|samples|beatbox)$/;

type Kind = "feeling" | "voice" | "thing";

/** The kind of the last word of a piece that means something. */
function kindOf(piece: string): Kind | undefined {
  const words = piece.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  for (let at = words.length - 1; at >= 0; at--) {
    const kind = kindOfWord(words[at] ?? "");
    if (kind) return kind;
  }
  return undefined;
}

function kindOfWord(word: string): Kind | undefined {
  if (/^(?:vocals?|vox|voices?|singing|lyrics?|words|sung|rap|rapping)$/.test(word)) return "voice";
  const category = meaningOf(word)?.tags[0]?.category;
  if (category === undefined) return undefined;
  // A treated or sampled voice stands in lists of sounds: "no autotune, trap hats or 808s".
  if (category === "vocalTypes") return TREATED.test(word) ? "thing" : "voice";
  return ["moods", "characters", "movements", "tempos"].includes(category) ? "feeling" : "thing";
}

function scopesBefore(plain: string): Span[] {
  const direct = [...plain.matchAll(AFTERWARDS)].map((match) => ({
    start: clauseStart(plain, match.index),
    end: match.index + match[0].length,
  }));
  const referring = [...plain.matchAll(OF_THAT)].map((match) => ({
    start: referredStart(plain.slice(0, match.index)),
    end: match.index + match[0].length,
  }));
  const paired = /\byes\b/.test(plain)
    ? [...plain.matchAll(PAIRED_NO)].map((match) => ({
        start: clauseStart(plain, match.index),
        end: match.index + match[0].length,
      }))
    : [];
  return [...direct, ...referring, ...paired, ...[...plain.matchAll(KEPT_OUT)].map(spanOf)];
}

/** "sweet but not sad because she'd hate that" refers to "sad" alone. */
function referredStart(before: string): number {
  const said = before.replace(
    /[\s,-]*(?:\b(?:because|since|as|and|but|so|cos)\b)?(?:\s+(?:\p{L}+(?:'\p{L}+)?))?\s*$/u,
    "",
  );
  return said.search(/(?:(?!\bbut\b)[^.;!?|\n,():])*$/);
}

/** Where the clause before `at` begins; a mere "that" refers to the clause before it. */
function clauseStart(plain: string, at: number): number {
  const before = plain.slice(0, at);
  const start = before.search(/(?:(?!\bbut\b|\band\b|\bbecause\b|\bso\b)[^.;!?|\n,():])*$/);
  if (!PRONOUN.test(before.slice(start))) return start;
  return before
    .slice(0, start)
    .replace(/[\s,]*(?:but|and|so)?\s*$/, "")
    .search(/[^.;!?|\n,():]*$/);
}

/** "drum-free", "vocal free". */
function suffixed(plain: string): Span[] {
  return [
    ...plain.matchAll(
      /\b(?!vocals?\b|voice|lyrics?\b|vox|royalty|care|feel|stress|hands|gluten|pain|sugar|for|is|be|set|break|are|and)[\p{L}]+[- ]free\b(?! to| of| from|[- ](?:jazz|form|time|improv\w*|flowing|tempo|spirit\w*|verse|running|style|rein))/gu,
    ),
  ].map(spanOf);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
