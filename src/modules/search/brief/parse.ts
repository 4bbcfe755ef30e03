import { findAffect } from "./affect.ts";
import { findDuration } from "./duration.ts";
import type { Interpretation, Wish } from "./interpretation.ts";
import { findKey } from "./key.ts";
import { findLanguage } from "./language.ts";
import { findMentions, type Mention, type TaxonomyTag } from "./lexicon.ts";
import type { OpenRange } from "./quantity.ts";
import { type FindArtist, findReference } from "./reference.ts";
import { findScopes, isWithin, type Scopes } from "./scopes.ts";
import { findTempo } from "./tempo.ts";
import { findQuotations, findTerms } from "./terms.ts";
import { markRead, plainOf, type Span, tokensOf } from "./text.ts";
import { findVoice, type VocalPreference } from "./voice.ts";

/** What the parser may ask of the library. */
export type BriefContext = { findArtist: FindArtist };

/** Ends of a range that the brief leaves open (decision 4.51). */
const BPM_ENDS = { min: 1, max: 300 };
const DURATION_ENDS = { min: 0, max: 86_400 };

/** A theme is one only where the brief speaks of the words: "lyrics about home", "summer themes". */
const ABOUT_WORDS = /\b(?:about|lyrics?|lyrically|themes?|themed|topics?|sings|singing)\b/;

/** Reads a brief. Deterministic; never throws, whatever the text. */
export function parseBrief(query: string, context: BriefContext): Interpretation {
  const text = query.normalize("NFC");
  const plain = plainOf(text);
  const scopes = findScopes(plain);
  const quotations = findQuotations(text);
  const reference = findReference(text, scopes, context.findArtist);
  const key = findKey(text, plain);
  const language = findLanguage(plain, scopes);
  let left = markRead(plain, spansOf(quotations.spans, reference?.span, key.spans, language?.span));
  const tempo = findTempo(left);
  left = markRead(left, spansOf(tempo?.span));
  const duration = findDuration(left);
  left = markRead(left, spansOf(duration?.span));
  const voice = findVoice(left, scopes);

  const mentions = findMentions(left, tokensOf(left)).map((mention) => withoutStrayThemes(mention, left));
  const { wanted, unwanted } = sortMentions(mentions, scopes);
  const implied = voice.isContradicted ? null : impliedVoice(wanted, language !== undefined);
  const vocalPreference = voice.preference ?? implied;
  const affect = findAffect(left, scopes, tagsOf(wanted), tagsOf(unwanted));
  const words = markRead(left, [...mentions, ...voice.spans]);
  const found = {
    wanted,
    unwanted,
    bpmRange: tempo ? closeRange(tempo.value, BPM_ENDS) : null,
    durationRange: duration ? closeRange(duration.value, DURATION_ENDS) : null,
    key: key.key,
    keyMode: key.mode,
    vocalPreference,
    ...affect,
    language: language?.code ?? null,
    referenceArtist: reference?.name ?? null,
  };
  const terms = findTerms(words, [...quotations.texts, ...(reference ? [reference.name] : [])]);
  return { briefParsed: isInformative(found), ...found, terms };
}

function spansOf(...found: (Span | readonly Span[] | undefined)[]): Span[] {
  return found.flatMap((span) => span ?? []);
}

function closeRange({ min, max }: OpenRange, ends: { min: number; max: number }): [number, number] {
  return [Math.max(min ?? ends.min, ends.min), Math.min(max ?? ends.max, ends.max)];
}

/** Leaves out lyric themes where the phrase does not speak of words. May leave nothing. */
function withoutStrayThemes(mention: Mention, plain: string): Mention {
  const start = Math.max(...[..."|,.;:!?()\n"].map((sign) => plain.lastIndexOf(sign, mention.start)), -1);
  const rest = plain.slice(mention.end).search(/[|,.;:!?()\n]|$/);
  const phrase = plain.slice(start + 1, mention.end + rest);
  if (ABOUT_WORDS.test(phrase)) return mention;
  return { ...mention, tags: mention.tags.filter(({ category }) => category !== "lyricThemes") };
}

function sortMentions(mentions: readonly Mention[], scopes: Scopes): { wanted: Wish[]; unwanted: Wish[] } {
  const relevant = mentions.filter(
    ({ tags, start }) => tags.length > 0 && !isWithin(scopes.indifferent, start),
  );
  const isUnwanted = ({ start }: Mention) => isWithin(scopes.unwanted, start);
  const unwanted = relevant.filter(isUnwanted);
  const takenBack = new Set(tagsOf(unwanted).map(({ entry }) => entry.id));
  // What is taken back anywhere is not wanted: "no trap hats" after "trap".
  const wanted = relevant
    .filter((mention) => !isUnwanted(mention))
    .map(({ tags }) => ({ tags: tags.filter(({ entry }) => !takenBack.has(entry.id)) }))
    .filter(({ tags }) => tags.length > 0);
  return { wanted, unwanted: unwanted.map(({ tags }) => ({ tags })) };
}

const tagsOf = (wishes: readonly Wish[]): TaxonomyTag[] => wishes.flatMap(({ tags }) => [...tags]);

/** A kind of voice, or a language, asks for a voice. */
function impliedVoice(wanted: readonly Wish[], hasLanguage: boolean): VocalPreference | null {
  const voices = tagsOf(wanted).filter(({ category }) => category === "vocalTypes");
  if (voices.some(({ entry }) => entry.code === "instrumental")) return "instrumental";
  return hasLanguage || voices.length > 0 ? "vocal" : null;
}

function isInformative({
  wanted,
  unwanted,
  ...rest
}: Omit<Interpretation, "briefParsed" | "terms">): boolean {
  return wanted.length > 0 || unwanted.length > 0 || Object.values(rest).some((value) => value !== null);
}
