import type { Db } from "../../../db/client.ts";
import { invalidField } from "../../kernel/errors.ts";
import { languageCode } from "./languages.ts";
import { detectLanguage } from "./lyrics-language.ts";
import type { SearchConstraints } from "./model.ts";
import { isSameKey, keyName, type MusicalKey, parseKey } from "./musical-key.ts";
import { selectKeySpellings, selectLanguageSpellings, selectWordsWithoutLanguage } from "./queries.ts";

/** Hard constraints as they are compared; what is absent does not filter. */
export type Filter = {
  bpmRange?: readonly [number, number];
  durationRange?: readonly [number, number];
  hasVocals?: boolean;
  key?: MusicalKey;
  /** ISO 639-1. */
  language?: string;
};

/** What the database compares with: the owner's own spellings that mean what was asked. */
export type ResolvedFilter = Omit<Filter, "key" | "language"> & {
  keySpellings?: readonly string[];
  languageSpellings?: readonly string[];
  /** Tracks whose language is not written but shows in their lyrics. */
  trackIdsByLyrics?: readonly string[];
};

/**
 * Reads the constraints of a request.
 *
 * @throws DomainError `validation_failed` when a range is upside down, or a key or language is none.
 */
export function readConstraints(asked: SearchConstraints): Filter {
  const { bpmRange, durationRange, hasVocals } = asked;
  checkOrder("constraints.bpmRange", bpmRange);
  checkOrder("constraints.durationRange", durationRange);
  const key = asked.key === undefined ? undefined : parseKey(asked.key);
  if (asked.key !== undefined && !key)
    throw invalidField("constraints.key", "unknown_key", "must be a key such as F# minor, Gbm or 11A");
  const language = asked.language === undefined ? undefined : languageCode(asked.language);
  if (asked.language !== undefined && language === undefined)
    throw invalidField(
      "constraints.language",
      "unknown_language",
      "must be an ISO 639-1 code or an English name",
    );
  return {
    ...(bpmRange && { bpmRange }),
    ...(durationRange && { durationRange }),
    ...(hasVocals !== undefined && { hasVocals }),
    ...(key && { key }),
    ...(language !== undefined && { language }),
  };
}

/** Returns what filtered, for the answer: the key and the language in their usual spelling. */
export function echoOf({ key, language, bpmRange, durationRange, hasVocals }: Filter): SearchConstraints {
  return {
    ...(bpmRange && { bpmRange: [...bpmRange] }),
    ...(durationRange && { durationRange: [...durationRange] }),
    ...(hasVocals !== undefined && { hasVocals }),
    ...(key && { key: keyName(key) }),
    ...(language !== undefined && { language }),
  };
}

/** Looks up how the owner's library spells what was asked: a key is free text there, and so is a language. */
export function resolveFilter(db: Db, ownerId: string, { key, language, ...plain }: Filter): ResolvedFilter {
  return {
    ...plain,
    ...(key && { keySpellings: selectKeySpellings(db, ownerId).filter((text) => means(key, text)) }),
    ...(language !== undefined && {
      languageSpellings: selectLanguageSpellings(db, ownerId).filter(
        (text) => languageCode(text) === language,
      ),
      trackIdsByLyrics: selectWordsWithoutLanguage(db, ownerId)
        .filter(({ lyrics }) => knownLanguage(db, lyrics) === language)
        .map(({ id }) => id),
    }),
  };
}

/** At most this many texts are remembered; then all are forgotten. */
const MAX_REMEMBERED = 50_000;
/** Language by hash of the lyrics: they are asked for again and again, and a detection costs 40 microseconds. */
const detected = new WeakMap<Db, Map<number | bigint, string | undefined>>();

function knownLanguage(db: Db, lyrics: string): string | undefined {
  const known = detected.get(db) ?? new Map();
  if (known.size > MAX_REMEMBERED) known.clear();
  detected.set(db, known);
  const hash = Bun.hash(lyrics);
  if (!known.has(hash)) known.set(hash, detectLanguage(lyrics));
  return known.get(hash);
}

function means(asked: MusicalKey, text: string): boolean {
  const key = parseKey(text);
  return key !== undefined && isSameKey(asked, key);
}

function checkOrder(path: string, range: readonly [number, number] | undefined): void {
  if (range && range[0] > range[1])
    throw invalidField(path, "range_order", "must go from the lower to the higher");
}
