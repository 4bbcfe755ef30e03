// Reads prose: what a brief asks for, in a person's words. This folder depends on the lexicon and the taxonomy (db/),
// but not on the search. The search passes in a text, and a function that looks up artists in the library.
//
// The flow, from top to bottom of `parseBrief`:
//
//   0. The library (library-wishes.ts). What comes first, and what is said about uploads, tags and plays, is read in
//      every language before anything is translated (ordering.ts, library-filters.ts, period.ts).
//   1. One text. Signs are spelled out (minus.ts: "-drums"), numbers in words written in digits where they measure
//      something (digits.ts, numerals.ts), shorthand and foreign words translated (glossary.ts, language by language)
//      and typos corrected (typos.ts, slips.ts). text.ts drops case and accents but keeps all offsets.
//   2. Pieces. The lexer (lexer.ts) cuts the text into words, numbers, blanks and signs.
//   3. Typed phrases. Each form of `db/lexicon/<language>/*.txt` has a type: `number.half`, `unit.minute`,
//      `comparison.over`, `negation.cue`, `voice.word`, `filler.word`. A form is a word or a small pattern
//      (pattern.ts explains the notation). Compositions (compositions/) combine types: "not" + "longer than" is
//      `limit.refused over`. Each type is searched once per text, at the first words of its phrases (reading.ts,
//      match.ts).
//   4. Rules. A rule (rule.ts) is a pattern over types with a name, an example that is also its test, and a meaning.
//      tempo.ts, duration.ts, key.ts, era.ts and language.ts are tables of rules, the most reliable first.
//   5. Readers, in order: negations (scopes.ts) as spans; artists (reference.ts); the key; the language; then the
//      tempo; then the length. Each marks the text it has read, and no later reader reads that again. What a correction
//      takes back is dropped (corrections.ts). The rest gives voices,
//      eras, themes (about-words.ts, topics.ts) and tags (mentions.ts, the longest form first; neighbours.ts says where
//      an ordinary word counts). wishes.ts sorts them into wanted and unwanted by the spans, strength.ts weighs them,
//      affect.ts votes on energy and valence, and terms.ts keeps the other words for the text search.
//
// To add a word, put it in the lexicon under its type. To add a language, add a folder beside `english` and its line
// in db/lexicon.ts: a form has the same type in every language. To add a way of saying things, add a composition or a
// rule with an example; test/brief/rules.test.ts checks them all.
// docs/decisions/0015-brief-parser.md says why the parser uses no model, and how accurate it is.

import { findThemeSpans } from "./about-words.ts";
import { findAffect, findEnergy } from "./affect.ts";
import { withoutCorrected } from "./corrections.ts";
import { writeDigits } from "./digits.ts";
import { findDuration } from "./duration.ts";
import { findEras } from "./era.ts";
import type { FindPerson } from "./fact-wish.ts";
import { intoEnglish } from "./glossary.ts";
import type { Interpretation, Said, Wish } from "./interpretation.ts";
import { findKey } from "./key.ts";
import { findLanguage } from "./language.ts";
import { findLibraryWishes, NO_LIBRARY_WISHES } from "./library-wishes.ts";
import type { TaxonomyTag } from "./meaning.ts";
import { findMentions, type Mention } from "./mentions.ts";
import { spellSigns } from "./minus.ts";
import type { OpenRange } from "./quantity.ts";
import { markRead, readingOf } from "./reading.ts";
import { type FindArtist, findReferences } from "./reference.ts";
import { type FindLine, findRemembered } from "./remembered.ts";
import { foundMeasures, foundNames, foundWishes, inOrder, outside } from "./said.ts";
import { findScopes } from "./scopes.ts";
import { type ReadSeeds, readSeeds, type SeedContext } from "./seeds.ts";
import { findTempo } from "./tempo.ts";
import { findQuotations, findTerms } from "./terms.ts";
import { isWithin, markedText, plainOf, type Span, tokensOf } from "./text.ts";
import { findTopics } from "./topics.ts";
import { correctTypos } from "./typos.ts";
import { findUnread } from "./unread.ts";
import { findVoice, type VocalPreference, type VoiceFinding } from "./voice.ts";
import { sortMentions, wishesOfSound } from "./wishes.ts";

/** What the parser may ask the library. */
export type BriefContext = SeedContext & {
  findArtist: FindArtist;
  /** The time of the request, epoch milliseconds: "last week" lies before it. Without it, no time is read. */
  now?: number;
  /** True for a query that is the title of a track: "Never Played" asks for nothing else. */
  isTitle?: boolean;
  /** Without it, the brief names nobody whom tracks were sent to or who opened them. */
  findPerson?: FindPerson;
  /** Without it, the brief remembers no line of lyrics. */
  findLine?: FindLine;
  /** True for a word of a name in the library, which is not a typing slip. */
  isName?: (word: string) => boolean;
};

/** Stand-ins for the ends of a range that the brief leaves open (decision 4.51). */
const BPM_ENDS = { min: 1, max: 300 };
const DURATION_ENDS = { min: 0, max: 86_400 };

/** Reads a brief. Deterministic; never throws, whatever the text. */
export function parseBrief(query: string, context: BriefContext): Interpretation {
  // A query that is a title asks for nothing else.
  const line = context.isTitle || !context.findLine ? undefined : findRemembered(query, context.findLine);
  const withoutLine = line ? markedText(query, [line.span]) : query;
  const seeded = readSeeds(withoutLine, context.isTitle ? {} : context);
  const { rest, said, ...library } = context.isTitle
    ? NO_LIBRARY_WISHES
    : findLibraryWishes(seeded.rest.normalize("NFC"), context.now, context.findPerson);
  const isRead = said.length > 0 || (library.isOpen && !context.isTitle);
  const isPart = library.filters.facts !== undefined;
  const music = readMusic({ ...seeded, rest: isRead ? rest : seeded.rest }, context, isPart);
  const at = ({ spans: [span] }: Said) => span?.start ?? 0;
  const sung = line
    ? [{ about: "lyrics" as const, name: line.text, isUnwanted: false, spans: [line.span] }]
    : [];
  return {
    ...music,
    ...library,
    line: line?.text ?? null,
    briefParsed: music.briefParsed || said.length + sung.length > 0,
    said: [...said, ...sung, ...music.said].toSorted((a, b) => at(a) - at(b)),
  };
}

/** What a brief says about the music. */
type Music = Omit<Interpretation, "ordering" | "filters" | "isOpen" | "unasked" | "line">;

/** Reads what is left of a brief without its seeds. */
function readMusic(
  { rest, artists, said, ...seeded }: ReadSeeds,
  context: BriefContext,
  isPart: boolean,
): Music {
  const english = intoEnglish(writeDigits(spellSigns(rest.normalize("NFC"))), isPart);
  const text = english.isForeign ? english.text : correctTypos(english.text, context.isName);
  const whole = readingOf(plainOf(text));
  const scopes = findScopes(whole);
  const quotations = findQuotations(text);
  const references = findReferences(text, whole, scopes, context.findArtist);
  const key = findKey(text, whole, scopes.unwanted);
  const language = findLanguage(whole, scopes);
  const names = references.map(({ span }) => span);
  // Nothing is read twice: "60s" is a length or a decade, not both, and "Blue Note" is not a colour.
  const withoutNames = markRead(whole, spansOf(quotations.spans, names, key.spans, language?.span));
  const tempo = findTempo(withoutNames);
  const withoutTempo = markRead(withoutNames, spansOf(tempo?.span));
  const duration = findDuration(withoutTempo);
  const left = markRead(withoutTempo, spansOf(duration?.span));
  const voice = findVoice(left, scopes);

  const topics = findTopics(left);
  const tags = findMentions(tokensOf(left.text), findThemeSpans(left), english.isForeign).map((mention) =>
    isWithin(topics, mention.start) ? withoutMoods(mention) : mention,
  );
  const all = [...tags, ...findEras(left)].toSorted((a, b) => a.start - b.start);
  const mentions = withoutCorrected(left, all);
  const wishes = sortMentions(mentions, scopes, left);
  const bySound = wishesOfSound(references.flatMap(({ sound }) => sound).slice(0, 1), wishes);
  const vocalPreference = voice.preference ?? impliedVoice(voice, wishes.wanted, language !== undefined);
  const affect = findAffect(left, scopes, tagsOf(wishes.wanted), tagsOf(wishes.unwanted));
  const words = markedText(left.text, [...mentions, ...voice.spans]);
  const measures = { key: key.spans, language: spansOf(language?.span), tempo: spansOf(tempo?.span) };
  const vocals = voice.preference === null ? [] : voice.said;
  const named = foundWishes(wishes);
  const pieces = [
    ...named,
    ...foundNames(references),
    ...foundMeasures({ ...measures, length: spansOf(duration?.span), vocals: outside(named, vocals) }),
    ...findEnergy(left, scopes).filter(({ spans }) => outside(named, spans).length > 0),
  ];
  const found = {
    ...wishes,
    bpmRange: tempo ? closeRange(tempo.value, BPM_ENDS) : null,
    durationRange: duration ? closeRange(duration.value, DURATION_ENDS) : null,
    key: key.key,
    keyMode: key.mode,
    vocalPreference,
    ...affect,
    language: language?.code ?? null,
    referenceArtist: [...artists, ...references][0]?.name ?? null,
  };
  const terms = findTerms(words, [...quotations.texts, ...references.map(({ name }) => name)]);
  return {
    briefParsed: isInformative(found) || said.length > 0,
    ...found,
    ...seeded,
    wanted: [...wishes.wanted, ...bySound],
    references: [...artists, ...references.map(({ name, resolved }) => ({ name, resolved }))],
    explicit: {
      ...{ bpmRange: tempo !== undefined, durationRange: duration !== undefined },
      ...{ key: key.key !== null, noVocals: voice.preference === "instrumental" },
    },
    said: inOrder([...pieces, ...said], scopes.unwanted, { text, query: rest }),
    unread: findUnread(words, { text, query: rest }),
    terms,
  };
}

/** Drops the moods of a talk's subject: a sad subject does not mean sad music. */
function withoutMoods(mention: Mention): Mention {
  return { ...mention, tags: mention.tags.filter(({ category }) => category !== "moods") };
}

function spansOf(...found: (Span | readonly Span[] | undefined)[]): Span[] {
  return found.flatMap((span) => span ?? []);
}

function closeRange({ min, max }: OpenRange, ends: { min: number; max: number }): [number, number] {
  return [Math.max(min ?? ends.min, ends.min), Math.min(max ?? ends.max, ends.max)];
}

const tagsOf = (wishes: readonly Wish[]): TaxonomyTag[] => wishes.flatMap(({ tags }) => [...tags]);

/** Voices used as a colour, which an instrumental track may have too. */
const COLOURS = new Set([
  "choir",
  "vocal_chops",
  "vocal_samples",
  "wordless_vocals",
  "humming",
  "ad_libs",
  "beatbox",
  "chant",
  "throat_singing",
  "processed_vocals",
  "screamed",
  "whispered",
]);

/** A kind of voice or a language asks for vocals; an instrumental may still have a choir or chopped samples. */
function impliedVoice(
  { isOpen }: VoiceFinding,
  wanted: readonly Wish[],
  hasLanguage: boolean,
): VocalPreference | null {
  if (isOpen) return null;
  const voices = tagsOf(wanted).filter(({ category }) => category === "vocalTypes");
  if (voices.some(({ entry }) => entry.code === "instrumental")) return "instrumental";
  const isAboutSomething = wanted.some(({ tags }) => tags.some(({ category }) => category === "lyricThemes"));
  return hasLanguage || isAboutSomething || voices.some(({ entry }) => !COLOURS.has(entry.code))
    ? "vocal"
    : null;
}

type Informative = Omit<
  Music,
  "briefParsed" | "terms" | "said" | "unread" | "references" | "explicit" | "seeds" | "moves"
>;

function isInformative({ wanted, unwanted, ...rest }: Informative): boolean {
  return wanted.length > 0 || unwanted.length > 0 || Object.values(rest).some((value) => value !== null);
}
