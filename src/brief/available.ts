import { AVAILABLE_AS, AVAILABLE_NAMES, type AvailableAs, EDIT_SEC } from "../kernel/available-as.ts";
import { alignment } from "./alignment.ts";
import { writeDigits } from "./digits.ts";
import type { Reading } from "./match.ts";
import { endsAt, type Match, matchesOf, readingOf, spansOf } from "./reading.ts";
import { compilePhrase } from "./rule.ts";
import { isUnit, secondsOf } from "./seconds.ts";
import { plainOf, type Span } from "./text.ts";

/** What must be there of a song, beside its main mix. */
export type Available = {
  availableAs?: readonly AvailableAs[];
  /** Edits by their lengths, each from the shortest to the longest one that counts, in seconds. */
  edits?: readonly (readonly [least: number, most: number])[];
};

/** One such thing, or an edit of so many seconds. */
export type Part = { as: AvailableAs } | { editSec: number };

/** An edit "of thirty seconds" may be two seconds shorter or longer; longer ones in proportion. */
const SLACK_SEC = 2;
const SLACK_SHARE = 1 / 15;

/** The types that every such wish has one of. */
const NAMED = [...AVAILABLE_AS.map((kind) => `library.part ${kind}`), "library.cut"];

/** What there is, by what follows it: "stems available". */
const AT_HAND = compilePhrase("<library.parts=parts>~<library.available>");
/** What there is, by what comes before it: "with an instrumental". Music "with instrumental breaks" has none. */
const WITH = compilePhrase(
  "(<library.comes with>|<library.at hand>~[:])~<library.parts=parts>=(<library.parts end>)",
);

/**
 * Finds what a brief asks to be there beside a song: "instrumental available", "with stems", "30 second edit on request".
 * "Instrumental" and ":30" alone say how the music is, and what is refused or only hoped for asks for nothing.
 */
export function findAvailable(query: string): (Part & { span: Span })[] {
  const written = readingOf(plainOf(query));
  if (NAMED.every((type) => spansOf(written, type).length === 0)) return [];
  const counted = writeDigits(query);
  const place = alignment(counted, query);
  const reading = readingOf(plainOf(counted));
  const found = [...matchesOf(reading, AT_HAND), ...matchesOf(reading, WITH)].filter(
    (match) => !isRefused(reading, match),
  );
  return found.flatMap((match) => {
    const span = place(match);
    const parts = match.places.parts;
    return span && parts ? partsIn(reading, parts).map((part) => ({ ...part, span })) : [];
  });
}

/** Returns what a brief asks for in the form of filters. */
export function availableOf(parts: readonly Part[]): Available {
  const kinds = AVAILABLE_AS.filter((kind) => parts.some((part) => "as" in part && part.as === kind));
  const lengths = new Set(parts.flatMap((part) => ("as" in part ? [] : [part.editSec])));
  return {
    ...(kinds.length > 0 && { availableAs: kinds }),
    ...(lengths.size > 0 && { edits: [...lengths].map(editRange) }),
  };
}

function editRange(seconds: number): readonly [number, number] {
  const slack = editSlack(seconds);
  return [seconds - slack, seconds + slack];
}

/** Returns by how many seconds an edit of a length may be shorter or longer. */
export const editSlack = (seconds: number): number => Math.max(SLACK_SEC, Math.round(seconds * SLACK_SHARE));

/** The name of a part as chips show it: "stems", "30 s edit". */
export const partName = (part: Part): string =>
  "as" in part ? AVAILABLE_NAMES[part.as] : `${part.editSec} s edit`;

function isRefused(reading: Reading, { start, end, places }: Match): boolean {
  const starts = [start, places.parts?.start ?? start];
  if (starts.some((at) => endsAt(reading, "library.without before", at))) return true;
  const from = start - (/[^.;!?\n]*$/.exec(reading.text.slice(0, start))?.[0].length ?? 0);
  const to = end + reading.text.slice(end).search(/[.;!?\n]|$/);
  return spansOf(reading, "library.maybe").some((hope) => hope.start >= from && hope.end <= to);
}

function partsIn({ text }: Reading, { start, end }: Span): Part[] {
  // Alone: "90 sec plus :30 cutdown" has one edit after its "plus".
  const parts = readingOf(text.slice(start, end));
  const named = AVAILABLE_AS.filter((kind) => spansOf(parts, `library.part ${kind}`).length > 0);
  const edits = spansOf(parts, "library.edit").flatMap((edit) =>
    editsIn(parts.text.slice(edit.start, edit.end)),
  );
  return [...named.map((as) => ({ as })), ...edits.map((editSec) => ({ editSec }))];
}

const LENGTH = /(:?)(\d+)(?:[\s-]*([\p{L}"']+))?/gu;

/** "15, 30 and 60 second edits": a unit is that of the numbers before it too; without any, only ":30" is a length. */
function editsIn(text: string): number[] {
  const lengths = [...text.matchAll(LENGTH)].map(([, sign = "", amount = "", word = ""]) => ({
    amount,
    unit: sign === ":" ? "s" : isUnit(word) ? word : undefined,
  }));
  return lengths.flatMap(({ amount }, index) => {
    const unit = lengths.slice(index).find((other) => other.unit !== undefined)?.unit;
    const seconds = unit === undefined ? 0 : secondsOf(amount, unit);
    return seconds >= EDIT_SEC.least && seconds <= EDIT_SEC.most ? [seconds] : [];
  });
}
