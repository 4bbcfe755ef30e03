import { AVAILABLE_AS, type AvailableAs } from "../../../../kernel/available-as.ts";
import { invalidField } from "../../../../kernel/errors.ts";
import { languageCode } from "../../../../kernel/languages.ts";
import { keyName, type MusicalKey, parseKey } from "../../../../kernel/musical-key.ts";
import type { SearchConstraints } from "../shapes.ts";

/** Hard constraints in comparable form; an absent constraint does not filter. */
export type Filter = {
  bpmRange?: readonly [number, number];
  durationRange?: readonly [number, number];
  hasVocals?: boolean;
  key?: MusicalKey;
  /** ISO 639-1. */
  language?: string;
  /** What must be there of the song, beside its main mix. */
  availableAs?: readonly AvailableAs[];
  /** The length of an edit that must be there, in seconds. */
  editSec?: readonly [number, number];
};

/**
 * Reads the constraints of a request.
 *
 * @throws DomainError `validation_failed` when a range is reversed, or a key or language is unknown.
 */
export function readConstraints(asked: SearchConstraints): Filter {
  const { bpmRange, durationRange, hasVocals, availableAs = [], editSec } = asked;
  checkOrder("constraints.bpmRange", bpmRange);
  checkOrder("constraints.durationRange", durationRange);
  checkOrder("constraints.editSec", editSec);
  const key = asked.key === undefined ? undefined : readKey(asked.key);
  const language = asked.language === undefined ? undefined : readLanguage(asked.language);
  return {
    ...(bpmRange && { bpmRange }),
    ...(durationRange && { durationRange }),
    ...(hasVocals !== undefined && { hasVocals }),
    ...(key && { key }),
    ...(language !== undefined && { language }),
    ...(availableAs.length > 0 && { availableAs: AVAILABLE_AS.filter((each) => availableAs.includes(each)) }),
    ...(editSec && { editSec }),
  };
}

function readKey(text: string): MusicalKey {
  const key = parseKey(text);
  if (key) return key;
  throw invalidField("constraints.key", "unknown_key", "must be a key such as F# minor, Gbm or 11A");
}

function readLanguage(text: string): string {
  const code = languageCode(text);
  if (code !== undefined) return code;
  throw invalidField(
    "constraints.language",
    "unknown_language",
    "must be an ISO 639-1 code or an English name",
  );
}

/** Returns the constraints for the answer, with key and language in their usual spelling. */
export function echoOf(filter: Filter): SearchConstraints {
  const { key, language, bpmRange, durationRange, hasVocals, availableAs, editSec } = filter;
  return {
    ...(bpmRange && { bpmRange: [...bpmRange] }),
    ...(durationRange && { durationRange: [...durationRange] }),
    ...(hasVocals !== undefined && { hasVocals }),
    ...(key && { key: keyName(key) }),
    ...(language !== undefined && { language }),
    ...(availableAs && { availableAs: [...availableAs] }),
    ...(editSec && { editSec: [...editSec] }),
  };
}

function checkOrder(path: string, range: readonly [number, number] | undefined): void {
  if (range && range[0] > range[1])
    throw invalidField(path, "range_order", "must go from the lower to the higher number");
}
