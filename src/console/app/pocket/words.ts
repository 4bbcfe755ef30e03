import { sizeText } from "../../../pages/size.ts";
import { clock } from "../player/time.ts";
import { counted, percent } from "../ui/numbers.ts";
import { MAX_FAILURES } from "./keep-file.ts";
import { daysUnchecked, type Lease } from "./lease.ts";
import type { CommentRow } from "./outbox.ts";
import type { TrackRow } from "./store.ts";

/** Returns a length as in a sentence: `3 h 10 min`. */
function lengthText(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** Returns how much is kept, and how much more could be. */
export function amountText(rows: readonly TrackRow[], roomBytes: number | undefined): string {
  const sounds = rows.flatMap(({ sound }) => sound ?? []);
  const seconds = sounds.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0);
  const bytes = sounds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const amount = `${counted(sounds.length, "track")}, ${lengthText(seconds)}, ${sizeText(bytes)}.`;
  return roomBytes === undefined ? amount : `${amount} Room for about ${roomText(roomBytes)} more.`;
}

/** Browsers only estimate it. */
const roomText = (bytes: number) => sizeText(bytes >= 2e9 ? Math.floor(bytes / 1e9) * 1e9 : bytes);

/** Returns the number of tracks of a list, and how long they are. */
export function listText(rows: readonly TrackRow[]): string {
  const seconds = rows.reduce((sum, { sound }) => sum + (sound?.durationSec ?? 0), 0);
  return `${counted(rows.length, "track")}${seconds > 0 ? `, ${lengthText(seconds)}` : ""}`;
}

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Returns since when everything is as on the server. `at` is by the device's clock. */
export function upToDateText(at: number, now = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return `Up to date since ${isToday ? "" : `${DAY.format(at)}, `}${TIME.format(at)}.`;
}

/** Returns why nothing plays. */
export const leaseText = (lease: Lease): string =>
  `Go online once to keep listening. This music was last checked ${counted(daysUnchecked(lease), "day")} ago.`;

/** Returns where in which track a comment was made. */
export const aboutText = ({ title, item: { positionSec } }: CommentRow): string =>
  positionSec === undefined ? title : `${title} at ${clock(positionSec)}`;

const REFUSALS: Readonly<Record<string, string>> = {
  track_not_found: "Not sent: the track is no longer in the library.",
  insufficient_scope: "Not sent: you may not comment in this library.",
};

/** Returns what becomes of a comment. */
export const commentText = ({ refusal }: CommentRow): string =>
  refusal === null
    ? "Will be sent when you are back."
    : (REFUSALS[refusal] ?? "Not sent: the server did not take it.");

/** Returns what is to be said of a track that is not here whole. */
export function stateText(share: number, failures: number): string {
  if (failures >= MAX_FAILURES) return "Could not be kept";
  return share > 0 ? `Keeping, ${percent(share)}` : "Waiting to be kept";
}

const NAMED = 3;

/** Returns which tracks of what is kept are left out because they are hidden. */
export function hiddenText(titles: readonly string[]): string {
  const more = titles.length > NAMED ? [`${titles.length - NAMED} more`] : [];
  const names = new Intl.ListFormat("en-GB").format([...titles.slice(0, NAMED), ...more]);
  const [are, them] = titles.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${counted(titles.length, "track")} ${are} hidden and not kept: ${names}. To keep ${them}, choose “Show in library” in the menu of a track.`;
}

/** Returns why not everything was kept. */
export const shortageText = ({ kept, of }: { kept: number; of: number }): string =>
  `Not enough room: ${kept} of ${counted(of, "track")} were kept. Remove something, or free space on the device.`;
