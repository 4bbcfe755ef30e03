import type { Created } from "./created.ts";
import { FACT_WINDOWS, type FoundWindow, windowsIn } from "./library-filters.ts";
import type { Reading } from "./match.ts";
import { readAge } from "./period.ts";
import { endOf, matchesOf } from "./reading.ts";
import { compilePhrase } from "./rule.ts";
import type { Span } from "./text.ts";

/** A time that a brief names, and the time that it means of what did not happen, where that is another. */
export type FactWindow = FoundWindow & { ofNot?: Created };

const LONG = compilePhrase(
  "([<fact.for>~]<fact.over>~<fact.age=age>[ <library.ago>]|<library.ago before>~<fact.over>~<fact.age=age>)",
);
const SHORT = compilePhrase(
  "([<fact.for>~]<fact.under>~<fact.age=age>[ <library.ago>]|<library.ago before>~<fact.under>~<fact.age=age>)",
);
const FOR = compilePhrase("<fact.for>~<fact.age=age>");
const BARE = compilePhrase("<library.age=age>");

/**
 * Returns the times beside which a fact may stand. "More than a year ago" is before that, where it happened, and since then,
 * where it did not: "not sent for more than a year".
 */
export function factWindows(reading: Reading, now: number): FactWindow[] {
  const since = ({ from }: Created): Created => ({ from, to: null });
  const ages = [
    ...agesOf(reading, LONG, now).map(({ created, span }) => ({
      created: { from: null, to: created.from },
      ofNot: since(created),
      span,
    })),
    ...[SHORT, FOR].flatMap((phrases) =>
      agesOf(reading, phrases, now).map(({ created, span }) => ({ created: since(created), span })),
    ),
  ];
  const bare = agesOf(reading, BARE, now).map(({ created, span }) => ({ created: since(created), span }));
  return [...ages, ...windowsIn(reading, now, FACT_WINDOWS), ...bare].filter(
    ({ span }) => !isGrammar(reading, span),
  );
}

/** "Été" is a summer and was, "mai" a month and never. */
const isGrammar = (reading: Reading, { start, end }: Span): boolean =>
  ["fact.between", "fact.not"].some((type) => endOf(reading, type, start) === end);

function agesOf(reading: Reading, phrases: typeof LONG, now: number): FoundWindow[] {
  return matchesOf(reading, phrases).flatMap(({ start, end, places: { age } }) => {
    const period = age && readAge(reading, age, now);
    return period ? [{ created: period, span: { start, end } }] : [];
  });
}
