import type { Reading } from "./match.ts";
import type { Mention } from "./mentions.ts";
import { type OpenRange, withLimits } from "./quantity.ts";
import { spansOf } from "./reading.ts";
import { apply, type Found, type Rule } from "./rule.ts";
import type { Span } from "./text.ts";

/** A correction follows what it takes back within this many characters of the sentence. */
const REACH = 60;
/** Only these may stand between a thing and the words that take it back. */
const NOTHING_BETWEEN = /^[\s,;:.()–—…-]*$/;

/**
 * Returns what a correction after a finding puts in its place: "100 to 110, actually make it 120". Without such a
 * correction the finding stays, with the words that qualify it.
 *
 * @param rules Everything that may give such a number, also what does so only in a correction.
 */
export function corrected(
  reading: Reading,
  first: Found<OpenRange>,
  rules: readonly Rule<OpenRange>[],
): Found<OpenRange> {
  const limited = ({ value, span }: Found<OpenRange>) => ({ value, span: withLimits(reading, span) });
  const chosen = limited(first);
  if (spansOf(reading, "correction.cue").length === 0) return chosen;
  const last = rules
    .flatMap((rule) => apply(reading, rule).map(limited))
    .filter(({ span }) => isCorrection(reading, chosen.span.end, span.start))
    .toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    .at(-1);
  const lead = last && leadBefore(reading, last.span.start);
  if (!last || !lead) return chosen;
  const isNext = NOTHING_BETWEEN.test(reading.text.slice(chosen.span.end, lead.start));
  return { value: last.value, span: { start: (isNext ? chosen.span : lead).start, end: last.span.end } };
}

function isCorrection(reading: Reading, from: number, to: number): boolean {
  const lead = leadBefore(reading, to);
  if (!lead || lead.start < from || lead.start - from > REACH) return false;
  return !/[!?\n]/.test(reading.text.slice(from, lead.start));
}

function leadBefore(reading: Reading, at: number): Span | undefined {
  return spansOf(reading, "correction.lead").find(({ start, end }) => start < at && end >= at);
}

/** Drops what a correction takes back: "sad piano, no wait, happy guitar" leaves "happy guitar". */
export function withoutCorrected(reading: Reading, mentions: readonly Mention[]): readonly Mention[] {
  const taken = spansOf(reading, "correction.lead").flatMap(({ start, end }) => {
    const before = mentions.filter((mention) => mention.end <= start).toReversed();
    const after = mentions.filter((mention) => mention.start >= end);
    const gap = (from: number, to: number) => reading.text.slice(from, to);
    const old = runOf(before, (mention, last) => gap(mention.end, last?.start ?? start));
    const replacing = runOf(after, (mention, last) => gap(last?.end ?? end, mention.start));
    return old.filter((one) => replacing.some((other) => isOfOneKind(one, other)));
  });
  return taken.length === 0 ? mentions : mentions.filter((mention) => !taken.includes(mention));
}

/** Returns the first mentions with nothing between them, such as "sad piano". */
function runOf(
  mentions: readonly Mention[],
  gapBefore: (mention: Mention, last: Mention | undefined) => string,
): readonly Mention[] {
  const end = mentions.findIndex((mention, index) => {
    const last = mentions[index - 1];
    return !(last ? /^[ -]*$/ : NOTHING_BETWEEN).test(gapBefore(mention, last));
  });
  return end < 0 ? mentions : mentions.slice(0, end);
}

function isOfOneKind(one: Mention, other: Mention): boolean {
  return one.tags.some(({ category }) => other.tags.some((tag) => tag.category === category));
}
