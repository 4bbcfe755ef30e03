import { tagsNamed } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import type { Mention } from "./mentions.ts";
import { endsAt, spansOf } from "./reading.ts";
import { apply, type Rule } from "./rule.ts";
import { type Span, spanOf } from "./text.ts";

const DECADE = /(?<![\d.$£€:#-])'?(?:(?:19|20)(\d)0|(\d)0|(\d)0)'?s(?![\p{L}\d])/gu;

/** A year that the music should sound like, read as its decade. */
export const YEAR: Rule<string> = {
  name: "a year",
  patterns: ["<not after 9.,$£€:#/->[<era.year leads> |c.~]<digits=year><era.year end>!(-<digits>)"],
  example: ["circa 1974.", "1970s"],
  read: ({ start, named: { year = "" } }, reading) => {
    const isYear = /^(?:19[2-9]|20[01])\d$/.test(year);
    return isYear && !endsAt(reading, "era.no year before", start) ? `${year.slice(0, 3)}0s` : undefined;
  },
};

/** Finds decades and years and returns them as eras: "80s", "'70s", "1960's", "circa 1974". */
export function findEras(reading: Reading): Mention[] {
  const { text } = reading;
  const decades = [...text.matchAll(DECADE)]
    .filter(({ index }) => !endsAt(reading, "era.age before", index))
    .map((match) => named(spanOf(match), match[0].replace(/'/g, "")));
  const years = apply(reading, YEAR).map(({ span, value }) => named(span, value));
  const spelled = spansOf(reading, "era.spelled").map((span) =>
    named(span, text.slice(span.start + "nineteen-".length, span.end)),
  );
  return [...decades, ...years, ...spelled].filter(({ tags }) => tags.length > 0);
}

function named(span: Span, text: string): Mention {
  const tags = tagsNamed(text).filter(({ category }) => category === "eras");
  return { start: span.start, end: span.end, tags, suggests: [] };
}
