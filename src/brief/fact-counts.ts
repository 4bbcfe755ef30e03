import type { FactRange } from "./fact-wish.ts";
import type { Reading } from "./match.ts";
import { numeralsAt } from "./numerals.ts";
import { qualify, withLimits } from "./quantity.ts";
import { endOf, endsAt, spansOf, startOf } from "./reading.ts";
import type { Span } from "./text.ts";

export function afterBlank({ text }: Reading, at: number): number {
  return text[at] === " " ? at + 1 : at;
}

export function beforeBlank({ text }: Reading, at: number): number {
  return text[at - 1] === " " ? at - 1 : at;
}
/** A number with the words that make it a limit. */
export type Count = Span & {
  value: number;
  range: FactRange;
  /** It says "times" itself: "twice". */
  isTimes?: boolean;
};

/** True where one number is only the least and another only the most. */
export function isOtherEnd({ range: one }: Count, { range: other }: Count): boolean {
  const [isFrom, isTo] = [isLeast(one), isLeast(other)];
  return isFrom !== isTo && (isFrom || isMost(one)) && (isTo || isMost(other));
}

const isLeast = ({ least, above, most, below }: FactRange): boolean =>
  (least ?? above) !== undefined && (most ?? below) === undefined;
const isMost = ({ least, above, most, below }: FactRange): boolean =>
  (least ?? above) === undefined && (most ?? below) !== undefined;

/** Returns the range between two limits. */
export const both = (one: Count, other: Count): Count => ({
  ...one,
  end: Math.max(one.end, other.end),
  range: { ...one.range, ...other.range },
});

/** The heads of the lexicon for "once", and for "a dozen". */
const TIMES = [1, 2, 3, 4, 5] as const;
const AMOUNTS = [2, 12] as const;
const DECIMAL = /(?<![\p{L}\p{N}.,])[-−]?\d+(?:[.,]\d+)?/gu;

/** Returns the numbers of a text, in digits or in words. */
export function countsIn(reading: Reading): Count[] {
  const { text } = reading;
  const digits = [...text.matchAll(DECIMAL)].map(({ 0: written, index }) => ({
    start: index,
    end: index + written.length,
    value: Number(written.replace("−", "-").replace(",", ".")),
  }));
  const words = [...text.matchAll(/(?<![\p{L}\p{N}])\p{L}/gu)].flatMap(({ index }) =>
    numeralsAt(text, index)
      .slice(0, 1)
      .map((word) => ({ ...word, isArticle: endOf(reading, "fact.article", index) === word.end })),
  );
  const once = TIMES.flatMap((times) =>
    spansOf(reading, `fact.count ${times}`).map((span) => ({ ...span, value: times, isTimes: true })),
  );
  const amounts = AMOUNTS.flatMap((amount) =>
    spansOf(reading, `fact.amount ${amount}`).map((span) => ({ ...span, value: amount })),
  );
  const single = [...once, ...digits, ...words, ...amounts]
    .toSorted((a, b) => a.start - b.start)
    .flatMap((one) => {
      const count = limited(reading, one);
      // "Ein Kommentar" is any, "genau ein Kommentar" is one.
      const isPlain = "isArticle" in one && one.isArticle && count.start === one.start;
      return isPlain && count.range.least === count.range.most ? [] : [count];
    });
  return single
    .flatMap((one, at) => {
      const next = single[at + 1];
      const isRange = next && endOf(reading, "number.range", one.end) === next.start;
      const before = isRange
        ? startOf(reading, "comparison.between", beforeBlank(reading, one.start))
        : undefined;
      return isRange
        ? [
            one,
            {
              start: before ?? one.start,
              end: next.end,
              value: one.value,
              range: { least: one.value, most: next.value },
            },
          ]
        : [one];
    })
    .toSorted((a, b) => b.end - b.start - (a.end - a.start));
}

type One = Span & { value: number; isTimes?: boolean; isArticle?: boolean };

function limited(reading: Reading, one: One): Count {
  const { value, start } = one;
  const exactly = startOf(reading, "fact.exactly", beforeBlank(reading, start));
  if (exactly !== undefined) return { ...one, start: exactly, range: { least: value, most: value } };
  // "No more than" contains "more than".
  const isRefused = ["over", "under"].some((each) => endsAt(reading, `limit.refused ${each}`, start));
  if (!isRefused)
    for (const [type, limit] of [
      ["fact.above", "above"],
      ["fact.below", "below"],
    ] as const) {
      const from = startOf(reading, type, beforeBlank(reading, start));
      if (from !== undefined) return { ...one, start: from, range: { [limit]: value } };
    }
  const { min, max } = qualify(value, reading, one, 0);
  const span = withLimits(reading, one);
  const isStrict =
    ["limit.over", "limit.under"].some((type) => endsAt(reading, type, start)) &&
    !["limit.refused over", "limit.refused under"].some((type) => endsAt(reading, type, start));
  const range: FactRange = {
    ...(min !== null && { [isStrict ? "above" : "least"]: min }),
    ...(max !== null && { [isStrict ? "below" : "most"]: max }),
  };
  return { ...one, ...span, start: span.start, value, range };
}
