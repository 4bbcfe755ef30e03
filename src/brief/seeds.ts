import { alignment } from "./alignment.ts";
import { writeDigits } from "./digits.ts";
import type { Interpretation, NamedReference } from "./interpretation.ts";
import type { Reading } from "./match.ts";
import { type FoundMove, findMoves } from "./moves.ts";
import { endOf, endsAt, readingOf, spansOf } from "./reading.ts";
import type { Found } from "./said.ts";
import type { FindNamed, FindNear, Seed } from "./seed.ts";
import { isName, MOST_CHARACTERS, nearName } from "./seed-names.ts";
import { isWithin, markedText, mergeSpans, plainOf, type Span } from "./text.ts";

/** A seed, and where the brief names it. */
export type FoundSeed = Seed & { span: Span };
/** The seeds of a brief; `spans` also cover the words that make them seeds. */
type FoundSeeds = { seeds: readonly FoundSeed[]; spans: readonly Span[] };

/** What the parser may ask the library about seeds. */
export type SeedContext = {
  /** Without it, the brief names no seeds. */
  findNamed?: FindNamed;
  findNear?: FindNear;
  /** True when seeds are given beside the prose: its comparatives then compare with them. */
  hasSeeds?: boolean;
};

const MOST_SEEDS = 12;
const MOST_LISTED = 8;
const MOST_WORDS = 16;
/** Names in the quotation marks of several languages, or between asterisks. */
const QUOTATIONS = [
  String.raw`"([^"\n]{1,100})"`,
  String.raw`“([^”\n]{1,100})”`,
  String.raw`„([^“”\n]{1,100})[“”]`,
  String.raw`«\s?([^»\n]{1,100}?)\s?»`,
  String.raw`「([^」\n]{1,60})」`,
  String.raw`'([^'\n]{2,60})'`,
  String.raw`\*([^*\n]{1,100})\*`,
];
const QUOTED = new RegExp(`^(?:${QUOTATIONS.join("|")})`, "u");
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]|[\p{L}\p{N}\p{M}#$][\p{L}\p{N}\p{M}'’._&+#$/-]*/gu;
const CLOSING = /^[)\]!?.'’"]+/;

type Brief = { query: string; reading: Reading; findNamed: FindNamed; findNear: FindNear | undefined };
type Named = { seed: Seed; span: Span };

/** What a brief says of seeds. `rest` is the brief with all of it marked as read. */
export type ReadSeeds = Pick<Interpretation, "seeds" | "moves"> & {
  rest: string;
  /** The artists among the seeds. */
  artists: readonly NamedReference[];
  said: readonly Found[];
};

/**
 * Reads the seeds of a brief, and how the wish differs from them. Without a seed "slower" compares with nothing, and stays.
 */
export function readSeeds(query: string, { findNamed, findNear, hasSeeds = false }: SeedContext): ReadSeeds {
  const { seeds, spans } = findNamed ? findSeeds(query, findNamed, findNear) : { seeds: [], spans: [] };
  const unnamed = markedText(query, spans);
  const moves = seeds.length > 0 || hasSeeds ? movesIn(unnamed) : [];
  const rest = markedText(
    unnamed,
    moves.map(({ span }) => span),
  );
  return {
    rest,
    seeds: seeds.map(({ span: _, ...seed }) => seed),
    moves: moves.map(({ span: _, ...move }) => move),
    artists: seeds.filter(({ kind }) => kind === "artist").map(({ name }) => ({ name, resolved: true })),
    said: [
      ...seeds.map(
        ({ name, span }): Found => ({ about: "reference", name, spans: [span], isAsWritten: true }),
      ),
      ...moves.map(({ span, ...move }): Found => ({ about: move, spans: [span], isAsWritten: true })),
    ],
  };
}

/** Finds moves in a text whose numbers may be words: "twenty bpm slower". */
function movesIn(text: string): FoundMove[] {
  const counted = writeDigits(text);
  const place = alignment(counted, text);
  return findMoves(counted).flatMap(({ span, ...move }) => {
    const there = place(span);
    return there ? [{ ...move, span: there }] : [];
  });
}

/**
 * Finds the tracks and artists of the library that a brief wants more of: "more like Harbour", "slower than Lantern",
 * "Harbour but darker". It reads the brief as it was written, because names are not words: nothing translates or mends
 * them.
 */
function findSeeds(query: string, findNamed: FindNamed, findNear: FindNear | undefined): FoundSeeds {
  const brief: Brief = { query, reading: readingOf(plainOf(query)), findNamed, findNear };
  const groups = [...afterLeads(brief), ...beforeSuffixes(brief), ...atTheStart(brief)];
  const found: Named[] = [];
  const spans: Span[] = [];
  for (const { names, span } of groups) {
    const news = names.filter((one) => !isWithin(spans, one.span.start));
    if (news.length === 0 || found.length >= MOST_SEEDS) continue;
    found.push(...news);
    spans.push(span, ...news.map((one) => withTurn(brief, one.span)));
  }
  const seeds = found
    .toSorted((a, b) => a.span.start - b.span.start)
    .map(({ seed, span }) => ({ ...seed, span }));
  return { seeds, spans: mergeSpans(spans) };
}

/** A name, with the "but" behind it, which turns against nothing else. */
function withTurn({ reading }: Brief, { start, end }: Span): Span {
  return { start, end: endOf(reading, "seed.turn after", end) ?? end };
}

/** Names that stand together, and the span of the words that introduce them. */
type Group = { names: Named[]; span: Span };

function afterLeads(brief: Brief): Group[] {
  const { reading } = brief;
  const leads = [
    ...spansOf(reading, "seed.name after").map((span) => ({ span, isWeak: false })),
    ...spansOf(reading, "seed.weak name after").map((span) => ({ span, isWeak: true })),
  ];
  return leads
    .filter(({ span }) => !endsAt(reading, "seed.refused before", span.start))
    .flatMap(({ span, isWeak }) => {
      const names = listedNames(brief, span, isWeak);
      return names.length > 0 ? [{ names, span }] : [];
    });
}

/** Returns every name of a list: "Harbour, Lantern and the track Quarry". */
function listedNames(brief: Brief, lead: Span, isWeak: boolean): Named[] {
  const names: Named[] = [];
  // "The Harbour" may be a title: an article before a name may belong to it.
  let starts = placesAfter(brief.reading, isWeak ? "seed.weak lead" : "seed.lead", lead);
  while (names.length < MOST_LISTED) {
    const next =
      firstOf(starts, (at) => nameAt(brief, at, isWeak)) ?? firstOf(starts, (at) => nearName(brief, at));
    if (!next) break;
    names.push(next);
    const joint = endOf(brief.reading, "seed.next name", next.span.end);
    starts = joint === undefined ? [] : [joint];
  }
  return names;
}

function firstOf<Value>(places: readonly number[], find: (at: number) => Value | undefined) {
  return places.map(find).find((found) => found !== undefined);
}

/** Returns where a name may begin after a lead: with what stands between them, or without it. */
function placesAfter(reading: Reading, type: string, lead: Span): number[] {
  const bare = endOf(reading, type, lead.start) ?? lead.end;
  const blanks = /^[\s:]*/.exec(reading.text.slice(bare))?.[0].length ?? 0;
  return [...new Set([bare + blanks, lead.end])];
}

/** Returns the longest name that begins at a place. */
function nameAt(brief: Brief, at: number, isWeak: boolean): Named | undefined {
  const { query } = brief;
  const rest = query.slice(at, at + MOST_CHARACTERS).split("\n")[0] ?? "";
  const quoted = QUOTED.exec(rest);
  const inner = quoted?.slice(1).find((text) => text !== undefined);
  if (quoted && inner !== undefined) {
    const seed = first(brief.findNamed([inner]).get(inner));
    if (seed) return narrowed(brief, { seed, span: { start: at, end: at + quoted[0].length } });
  }
  const ends = endsOf(rest);
  const phrases = ends.map((end) => rest.slice(0, end));
  const known = brief.findNamed([...new Set(phrases)]);
  for (const phrase of phrases.toReversed()) {
    const seed = first(known.get(phrase));
    const span = { start: at, end: at + phrase.length };
    if (seed && (isName(phrase, isWeak) || (isName(phrase, false) && isCompared(brief, span.end))))
      return narrowed(brief, { seed, span });
  }
  return undefined;
}

/** A phrase that names a track and an artist means the track. */
function first(seeds: readonly Seed[] = []): Seed | undefined {
  return seeds.find(({ kind }) => kind === "track") ?? seeds[0];
}

/** Returns where names that begin a text may end, ascending. */
function endsOf(text: string): number[] {
  const ends: number[] = [];
  for (const match of [...text.matchAll(WORD)].slice(0, MOST_WORDS)) {
    const end = match.index + match[0].length;
    // A sentence may end in a full stop, and a title in a bracket.
    const bare = end - (match[0].length - match[0].replace(/(?:['’]s|[.'’_/-]+)$/, "").length);
    const closing = CLOSING.exec(text.slice(end))?.[0].length ?? 0;
    ends.push(bare, end, end + closing);
  }
  return [...new Set(ends)];
}

/** "Harbour by Lumen Vale", "Lumen Vale - Harbour", "Lumen Vale's Harbour": two names that narrow each other. */
function narrowed(brief: Brief, found: Named): Named {
  const joint = jointAfter(brief, found);
  if (joint === undefined) return found;
  const rest = brief.query.slice(joint, joint + MOST_CHARACTERS).split("\n")[0] ?? "";
  const quote = /^["“”«']/.exec(rest)?.[0].length ?? 0;
  const phrases = endsOf(rest.slice(quote)).map((to) => rest.slice(quote, quote + to));
  const known = brief.findNamed([...new Set(phrases)]);
  for (const phrase of phrases.toReversed()) {
    const both = (known.get(phrase) ?? []).flatMap((other) => sharedBy(found.seed, other) ?? [])[0];
    if (!both) continue;
    const to = joint + quote + phrase.length;
    const isClosed = quote > 0 && /^["”»']/.test(brief.query.slice(to));
    return { seed: both, span: { start: found.span.start, end: isClosed ? to + 1 : to } };
  }
  return found;
}

/** Returns where the second of two names may begin. */
function jointAfter({ query, reading }: Brief, { seed, span: { end } }: Named): number | undefined {
  if (seed.kind === "track") return endOf(reading, "seed.by after", end);
  return end + (/^(?:['’]s)?\s*[-–—:,]?\s*/.exec(query.slice(end))?.[0].length ?? 0);
}

/** Returns the track whose artist the other one is. */
function sharedBy(one: Seed, other: Seed): Seed | undefined {
  const trackSeqs = one.trackSeqs.filter((seq) => other.trackSeqs.includes(seq));
  if (one.kind === other.kind || trackSeqs.length === 0) return undefined;
  return { ...(one.kind === "track" ? one : other), trackSeqs };
}

/** "Harbour-like", "Night Ferry vibes": names before a suffix. */
function beforeSuffixes(brief: Brief): Group[] {
  const { query, reading } = brief;
  return spansOf(reading, "seed.after").flatMap((suffix) => {
    const before = query.slice(Math.max(0, suffix.start - MOST_CHARACTERS), suffix.start).trimEnd();
    const end =
      suffix.start - (query.slice(0, suffix.start).length - query.slice(0, suffix.start).trimEnd().length);
    const starts = [...before.matchAll(WORD)].slice(-MOST_WORDS).map(({ index }) => index);
    const phrases = starts.map((start) => before.slice(start).replace(/["”」]$/, ""));
    const known = brief.findNamed([...new Set(phrases)]);
    for (const phrase of phrases) {
      const seed = first(known.get(phrase));
      if (!seed || !isName(phrase, true)) continue;
      if (!/\p{Lu}|\s|[^\p{ASCII}]/u.test(phrase)) continue;
      return [{ names: [{ seed, span: { start: end - phrase.length, end } }], span: suffix }];
    }
    return [];
  });
}

/** "Harbour but slower": a name that begins the brief, with a comparative behind it. */
function atTheStart(brief: Brief): Group[] {
  const { query } = brief;
  const name = nameAt(brief, query.length - query.trimStart().length, true);
  if (!name || !isCompared(brief, name.span.end)) return [];
  return [{ names: [name], span: name.span }];
}

/** A comparative follows the turn within this many characters: "but please a lot slower". */
const LONGEST_TURN = 30;

/** True where a turn and a comparative follow: "... but slower", "..., only darker". */
function isCompared({ query, reading }: Brief, at: number): boolean {
  const turn = endOf(reading, "seed.turn after", at);
  if (turn === undefined) return false;
  return findMoves(query.slice(turn, turn + MOST_CHARACTERS)).some(({ span }) => span.start <= LONGEST_TURN);
}
