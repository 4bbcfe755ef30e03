import { query } from "../../api/queries.ts";
import type { Data } from "../../api/routes.ts";
import { clock } from "../../player/time.ts";
import { when } from "../../ui/dates.ts";
import type { Link } from "./state.ts";

/** What was heard through a link. */
export type Listening = Data<"GET /app/shares/{id}/listening">;
/** What one visitor of a link did. */
export type Visit = Listening["visits"][number];
/** A track that was heard through a link. */
export type HeardTrack = Listening["tracks"][number];

export const listeningQuery = (id: string) =>
  query("/app/shares/{id}/listening", { path: { id } }, { shares: [id], activity: "all", analysis: "all" });

/** Whom a link is for, and what they answered last. */
type Sent = Pick<Link, "recipient" | "answer">;

/** Stopping so shortly before the end is hearing it to the end. */
const END_SEC = 3;
const TIMES = ["", "", "twice", "three times", "four times", "five times"];

/** Returns how long the parts are together, in seconds. */
export function lengthOf(parts: Visit["heard"]): number {
  return parts.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0);
}

/** Returns true when the visitor of a track did not stop before its end. */
export function isAtEnd(stoppedAtSec: number, { durationSec }: Pick<HeardTrack, "durationSec">): boolean {
  return durationSec !== null && stoppedAtSec >= durationSec - END_SEC;
}

/** Returns in a sentence what became of a link. */
export function sentenceOf({ recipient, answer }: Sent, listening: Listening, now = Date.now()): string {
  const { visits, totals } = listening;
  const [latest] = visits;
  if (!latest) return sentenceOfNone({ recipient, answer }, now);
  const last = visits.find(({ listened }) => listened);
  const isMany = recipient === null && totals.visits > 1;
  const who = recipient ?? (isMany ? `${totals.visits} visitors` : "One visitor");
  if (!last)
    return `${who} opened it ${when(latest.lastAt, now)}, and ${isMany ? "have" : "has"} not listened yet.`;
  if (isMany) return sentenceOfMany(last, listening, now);
  const stop = stopOf(last, listening);
  const listened = `${who} listened ${timesOf(totals.plays)}${when(last.lastAt, now)}`;
  return stop === undefined ? `${listened}.` : `${listened}, and ${stop}.`;
}

function sentenceOfNone({ recipient, answer }: Sent, now: number): string {
  // Without a script their visit may count for nothing.
  if (answer) return `${recipient ?? "Someone"} answered ${when(answer.at, now)}.`;
  return recipient ? `${recipient} has not opened it yet.` : "Nobody has opened it yet.";
}

function sentenceOfMany(last: Visit, listening: Listening, now: number): string {
  const { visits, listened } = listening.totals;
  const did = listened === visits ? "listened" : `opened it, ${listened} listened`;
  const stop = stopOf(last, listening);
  const end = stop === undefined ? "" : `; the last one ${stop}`;
  return `${visits} visitors ${did}, last ${when(last.lastAt, now)}${end}.`;
}

function timesOf(plays: number): string {
  if (plays === 0) return "briefly ";
  return plays === 1 ? "once, " : `${TIMES[plays] ?? `${plays} times`}, last `;
}

/** Returns where a visitor stopped, in words; undefined: not known. */
function stopOf({ trackId, stoppedAtSec }: Visit, { tracks, trackCount }: Listening): string | undefined {
  const track = tracks.find((each) => each.trackId === trackId);
  if (stoppedAtSec === null || !track) return undefined;
  const isOne = trackCount <= 1;
  if (isAtEnd(stoppedAtSec, track)) return `heard ${isOne ? "it" : track.title} to the end`;
  return `stopped at ${clock(stoppedAtSec)}${isOne ? "" : ` of ${track.title}`}`;
}
