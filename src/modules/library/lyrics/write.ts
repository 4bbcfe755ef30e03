import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { MAX_LYRIC_LINES, MAX_LYRICS } from "../../../kernel/limits.ts";
import { toIso } from "../../../kernel/time.ts";
import { cleanLine, isTimed, type TimedLine, wordsOf } from "../../../media/lyrics/lines.ts";
import { looksLikeLrc, readLrc, withoutHead } from "../../../media/lyrics/lrc.ts";
import { prose } from "../../../media/tags/clean-tags.ts";
import { personIn } from "../../people/people/service.ts";
import {
  addOwnerField,
  findEdit,
  getOwnedTrack,
  hasOwnerField,
  noteEdits,
  updateTrack,
} from "../catalog/service.ts";
import { requestCarrying } from "../recordings/service.ts";
import { deleteCarried, findTimed, findWords, putTimed, type TimedRow } from "./queries.ts";
import { timedVersionOf, toLyrics } from "./read.ts";
import type { WriteLyrics, WrittenLyrics } from "./shapes.ts";

type WriteDeps = Pick<Deps, "db" | "now">;
type Target = { ownerId: LibraryId; trackId: string };

/** What is to be written: words, and lines where their times are sent too. */
type Written = {
  words: string | null;
  lines: TimedLine[] | undefined;
  wordTimes: number;
  /** What a person has written stays: the words, and the times of the version. */
  unlessWritten: boolean;
};

/**
 * Writes the words of an account's track, and when they are sung in a version, and announces it. Words that come without times keep
 * those of the lines that stay.
 *
 * @throws DomainError `track_not_found`, `version_not_found`; `validation_failed` unless one of the forms is sent, or when times do
 *   not ascend; `changed_since` when the words or times are no longer those that the editor began with. Then `data` has them.
 */
export function writeLyrics(
  deps: WriteDeps,
  { ownerId, trackId }: Target,
  input: WriteLyrics,
): WrittenLyrics {
  const written = { ...readInput(input), unlessWritten: input.unlessWritten ?? false };
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, ownerId, trackId);
    const versionId = timedVersionOf(tx, track, input.versionId);
    if (input.base !== undefined) requireBase(within(deps, tx), { ownerId, trackId }, versionId, input.base);
    const before = toLyrics(tx, trackId, versionId);
    putLyrics(tx, { trackId, versionId }, written, deps.now());
    const after = toLyrics(tx, trackId, versionId);
    if (after.revision !== before.revision)
      emit(tx, ownerId, "track.updated", { trackId, name: track.name, changed: ["lyrics"] }, deps.now());
    return { ...after, wordTimesDropped: written.wordTimes };
  });
}

type Sung = { trackId: string; versionId: string };

function putLyrics(tx: Db, { trackId, versionId }: Sung, written: Written, at: number): void {
  const { words, lines, unlessWritten } = written;
  const isOwned = hasOwnerField(tx, trackId, "lyrics");
  const isOther = (findWords(tx, trackId)?.lyrics ?? null) !== words;
  if (isOther && !(unlessWritten && isOwned)) updateTrack(tx, trackId, { lyrics: words });
  // What a person wrote stays when the file is read again, also words of the file that somebody has timed.
  addOwnerField(tx, trackId, "lyrics");
  const before = findTimed(tx, versionId);
  if (!lines || isKnown(lines, before) || (unlessWritten && before?.origin === "written")) return;
  putTimed(tx, versionId, { lines, origin: "written", updatedAt: at });
  if (!isTimed(lines)) deleteCarried(tx, trackId);
  noteEdits(tx, trackId, ["lyrics"]);
  requestCarrying(tx, versionId, { isMissing: true }, at);
}

/** True when writing lines would change nothing. */
function isKnown(lines: readonly TimedLine[], before: TimedRow | undefined): boolean {
  if (!before) return !isTimed(lines);
  return before.origin === "written" && JSON.stringify(before.lines) === JSON.stringify(lines);
}

function readInput(input: WriteLyrics): Omit<Written, "unlessWritten"> {
  const { lyrics, lrc, lines } = input;
  if ([lyrics, lrc, lines].filter((form) => form !== undefined).length !== 1)
    throw invalidField("lyrics", "one_of", "must be sent, or lrc, or lines, and only one of them");
  if (lines) return { ...timed(requireAscending(lines)), wordTimes: 0 };
  if (lrc === undefined) return { words: cleanWords(lyrics ?? ""), lines: undefined, wordTimes: 0 };
  const read = readLrc(lrc);
  if (read) return { ...timed(read.lines), wordTimes: read.wordTimes };
  if (looksLikeLrc(lrc))
    throw invalidField("lrc", "too_long", `must have at most ${MAX_LYRIC_LINES} lines, all within a day`);
  return { words: cleanWords(withoutHead(lrc)), lines: undefined, wordTimes: 0 };
}

function timed(sent: readonly TimedLine[]): Pick<Written, "words" | "lines"> {
  const lines = sent.map(({ text, atMs }) => ({ text: cleanLine(text), atMs }));
  const words = wordsOf(lines);
  if (words.length > MAX_LYRICS) throw invalidField("lines", "too_long", "must have fewer words");
  return words.trim() === "" ? { words: null, lines: [] } : { words, lines };
}

/** Returns words with plain line ends; null for blank ones. */
const cleanWords = (text: string): string | null => prose(text, MAX_LYRICS) ?? null;

function requireAscending(lines: readonly TimedLine[]): readonly TimedLine[] {
  let last = 0;
  for (const [index, { atMs }] of lines.entries()) {
    if (atMs === null) continue;
    if (atMs < last) throw invalidField(`lines.${index}.atMs`, "order", "must not be before the line above");
    last = atMs;
  }
  return lines;
}

function requireBase(deps: WriteDeps, { ownerId, trackId }: Target, versionId: string, base: string): void {
  const now = toLyrics(deps.db, trackId, versionId);
  if (now.revision === base) return;
  const edit = findEdit(deps.db, trackId, "lyrics");
  throw new DomainError("changed_since", "The lyrics of this track were changed meanwhile", {
    data: {
      lyrics: now,
      by: personIn(deps, ownerId, edit?.personId ?? null),
      at: edit ? toIso(edit.at) : null,
    },
  });
}
