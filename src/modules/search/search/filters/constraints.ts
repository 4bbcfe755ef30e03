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
};

/**
 * Reads the constraints of a request.
 *
 * @throws DomainError `validation_failed` when a range is reversed, or a key or language is unknown.
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

/** Returns the constraints for the answer, with key and language in their usual spelling. */
export function echoOf({ key, language, bpmRange, durationRange, hasVocals }: Filter): SearchConstraints {
  return {
    ...(bpmRange && { bpmRange: [...bpmRange] }),
    ...(durationRange && { durationRange: [...durationRange] }),
    ...(hasVocals !== undefined && { hasVocals }),
    ...(key && { key: keyName(key) }),
    ...(language !== undefined && { language }),
  };
}

function checkOrder(path: string, range: readonly [number, number] | undefined): void {
  if (range && range[0] > range[1])
    throw invalidField(path, "range_order", "must go from the lower to the higher number");
}
