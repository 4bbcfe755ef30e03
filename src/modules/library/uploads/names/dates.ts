/** A date in a name: `text` is `2026-11-22`, with a time `2026-11-22 14:30`; `count` is year, month, day, hour, minute. */
export type NameDate = { from: number; to: number; text: string; count: readonly number[] };

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = `(?:${MONTHS.flatMap((month) => [month, month.slice(0, 4), month.slice(0, 3)]).join("|")})\\.?`;
const GAP = "[\\s_.,-]*";

/** The ways to write a date, the surest first. Two digits of a year are this century's. */
const FORMS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])(?<year>(?:19|20)\d\d)(?<gap>[-_. ]?)(?<month>[01]\d)\k<gap>(?<day>[0-3]\d)(?![\p{L}\p{N}]|\.\d)/gu,
  /(?<!\d)(?<day>[0-3]?\d)(?<gap>[-_.])(?<month>[01]?\d)\k<gap>(?<year>(?:20)?\d\d)(?!\d)/gu,
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?<day>[0-3]?\\d)${GAP}(?<word>${MONTH})${GAP}(?<year>20\\d\\d|[12]\\d)(?![\\p{L}\\p{N}])`,
    "giu",
  ),
  new RegExp(
    `(?<!\\p{L})(?<word>${MONTH})${GAP}(?<day>[0-3]?\\d),?[\\s_.-]+(?<year>20\\d\\d)(?![\\p{L}\\p{N}])`,
    "giu",
  ),
  /(?<![\p{L}\p{N}.])(?<year>[12]\d)(?<month>[01]\d)(?<day>[0-3]\d)(?![\p{L}\p{N}]|\.\d)/gu,
  /(?<![\p{L}\p{N}.])(?<day>[0-3]\d)(?<month>[01]\d)(?<year>[12]\d)(?![\p{L}\p{N}]|\.\d)/gu,
];

/** The time of day behind a date: ` 14-30`, `_143005`, ` 14.30.05`. */
const TIME = /^[ _T-]+([01]\d|2[0-3])[-.:h_]?([0-5]\d)(?:[-.:_]?[0-5]\d)?(?![\p{L}\p{N}])/u;

/** Finds the dates in a name, none of which overlap. */
export function datesIn(name: string): NameDate[] {
  const dates: NameDate[] = [];
  for (const form of FORMS)
    for (const match of name.matchAll(form)) {
      const date = dateOf(name, match);
      if (date && !dates.some(({ from, to }) => date.from < to && date.to > from)) dates.push(date);
    }
  return dates;
}

const monthOf = (word: string) =>
  MONTHS.findIndex((month) => month.startsWith(word.slice(0, 3).toLowerCase())) + 1;

function dateOf(name: string, { 0: all, index, groups = {} }: RegExpExecArray): NameDate | undefined {
  const month = groups.word ? monthOf(groups.word) : Number(groups.month);
  const [day, written] = [Number(groups.day), Number(groups.year)];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const year = written < 100 ? written + 2000 : written;
  const to = index + all.length;
  const time = TIME.exec(name.slice(to));
  const [, hour, minute] = time ?? [];
  const text = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
  return {
    from: index,
    to: to + (time?.[0].length ?? 0),
    text: hour === undefined ? text : `${text} ${hour}:${minute}`,
    count: [year, month, day, Number(hour ?? 0), Number(minute ?? 0)],
  };
}
