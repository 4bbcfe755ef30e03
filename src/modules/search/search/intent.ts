import type { Interpretation } from "../../../brief/interpretation.ts";
import { isSameKey } from "../../../kernel/musical-key.ts";
import type { Filter } from "./filters/constraints.ts";

/**
 * Returns true when constraints, or what the prose says about the library, are reason enough to show tracks that nothing
 * else speaks for.
 */
export function mayList({ ordering, filters, isOpen, unread }: Interpretation, filter: Filter): boolean {
  const isAsked = ordering !== null || [filters, filter].some((each) => Object.keys(each).length > 0);
  return isAsked || (isOpen && unread.length === 0);
}

/** Where a constraint rules out what the prose asks for, the constraint holds. */
export function withoutContradictions(brief: Interpretation, filter: Filter): Interpretation {
  const { bpmRange, durationRange, key, hasVocals, language } = filter;
  const voice = hasVocals === undefined ? undefined : hasVocals ? "vocal" : "instrumental";
  const isOtherKey = key && brief.key && !isSameKey(key, brief.key);
  const isOtherMode = key?.mode && brief.keyMode && key.mode !== brief.keyMode;
  return {
    ...brief,
    ...(isApart(bpmRange, brief.bpmRange) && { bpmRange: null }),
    ...(isApart(durationRange, brief.durationRange) && { durationRange: null }),
    ...((isOtherKey || isOtherMode) && { key: null, keyMode: null }),
    ...(voice !== undefined && brief.vocalPreference !== voice && { vocalPreference: null }),
    ...(language !== undefined && brief.language !== language && { language: null }),
  };
}

function isApart(
  one: readonly [number, number] | undefined,
  other: readonly [number, number] | null,
): boolean {
  return one !== undefined && other !== null && (one[0] > other[1] || one[1] < other[0]);
}

const OF_LIBRARY: readonly unknown[] = ["order", "filter", "available", "lyrics", "unasked"];
const isOfLibrary = ({ about }: Interpretation["said"][number]) => OF_LIBRARY.includes(about);

/** Returns false when the query only says what comes first and which tracks count: "newest uploads". */
export function saysMore({ said, terms }: Interpretation): boolean {
  return terms.length > 0 || said.length === 0 || said.some((piece) => !isOfLibrary(piece));
}

/** Returns the query without the words that speak of the library: they name no track. */
export function withoutLibrary(query: string, { said }: Interpretation): string {
  return said
    .filter(isOfLibrary)
    .flatMap(({ spans }) => spans)
    .reduce(
      (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
      query,
    );
}
