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
export type Count = Span & { value: number; range: FactRange };

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
    numeralsAt(text, index).slice(0, 1),
  );
  const once = ["1", "2", "3"].flatMap((times) =>
    spansOf(reading, `fact.count ${times}`).map((span) => ({ ...span, value: Number(times) })),
  );
  const single = [...digits, ...words, ...once]
    .toSorted((a, b) => a.start - b.start)
    .map((one) => limited(reading, one));
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

function limited(reading: Reading, one: Span & { value: number }): Count {
  const { value, start } = one;
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
