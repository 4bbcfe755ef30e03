import type { TimedLine } from "../../../media/lyrics/lines.ts";

/** So many pairs of lines are compared at most; beyond, only what is the same from both ends on keeps its times. */
const MAX_PAIRS = 1_000_000;

/**
 * Returns the lines of a song's words, with the times that are known of them. The words are what the track says; a line that was
 * timed keeps its time as long as it is there, and where its words were corrected.
 *
 * @param timed The lines as they were when they were timed, in order.
 */
export function timedWords(words: string, timed: readonly TimedLine[]): TimedLine[] {
  const texts = words === "" ? [] : words.split(/\r\n?|\n/);
  const times: (number | null)[] = texts.map(() => null);
  const [keys, timedKeys] = [texts.map(keyOf), timed.map(({ text }) => keyOf(text))];
  const same = commonLines(keys, timedKeys);
  for (const [at, from] of same) times[at] = timed[from]?.atMs ?? null;
  if (same.some(([at]) => keys[at] !== ""))
    for (const [at, from] of correctedLines(keys, timedKeys, same)) times[at] = timed[from]?.atMs ?? null;
  return texts.map((text, index) => ({ text: text.trimEnd(), atMs: times[index] ?? null }));
}

/** What stays the same of a line when only blanks, case or punctuation change. */
const keyOf = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

type Match = readonly [at: number, from: number];

/** Returns the longest common sequence of two lists of lines, as places in both. */
function commonLines(one: readonly string[], other: readonly string[]): Match[] {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [rows, columns] = [one.length - head - tail, other.length - head - tail];
  const middle =
    rows * columns > MAX_PAIRS
      ? []
      : longest(one.slice(head, -tail || undefined), other.slice(head, -tail || undefined));
  return [
    ...Array.from({ length: head }, (_, index): Match => [index, index]),
    ...middle.map(([at, from]): Match => [head + at, head + from]),
    ...Array.from(
      { length: tail },
      (_, index): Match => [one.length - tail + index, other.length - tail + index],
    ),
  ];
}

function longest(one: readonly string[], other: readonly string[]): Match[] {
  const lengthAt = commonLengths(one, other);
  const matches: Match[] = [];
  for (let [row, column] = [0, 0]; row < one.length && column < other.length; ) {
    if (one[row] === other[column]) matches.push([row++, column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
    else column++;
  }
  return matches;
}

/** Returns how many lines two lists have in common at most, from a place in each on. */
function commonLengths(one: readonly string[], other: readonly string[]) {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row--)
    for (let column = other.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        one[row] === other[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  return lengthAt;
}

/** Between two lines that stayed, as many lines as before are the same ones with other words. */
function correctedLines(one: readonly string[], other: readonly string[], same: readonly Match[]): Match[] {
  const corrected: Match[] = [];
  let [at, from] = [0, 0];
  for (const [nextAt, nextFrom] of [...same, [one.length, other.length] as const]) {
    const count = nextAt - at;
    const isPaired = count === nextFrom - from;
    for (let index = 0; isPaired && index < count; index++)
      if ((one[at + index] === "") === (other[from + index] === ""))
        corrected.push([at + index, from + index]);
    [at, from] = [nextAt + 1, nextFrom + 1];
  }
  return corrected;
}
