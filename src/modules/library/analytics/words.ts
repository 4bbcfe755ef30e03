import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/time.ts";
import type { ActivityMetric, Entity } from "./shapes.ts";

/** The count of each metric in a week. */
export type WeekCounts = Readonly<Record<ActivityMetric, number>>;

/** Singular and plural of each metric, the most telling first. */
const NOUNS: readonly [metric: ActivityMetric, one: string, several: string][] = [
  ["uploaded", "new track", "new tracks"],
  ["plays", "play", "plays"],
  ["views", "view", "views"],
  ["downloads", "download", "downloads"],
  ["comments", "comment", "comments"],
  ["saved", "save", "saves"],
  ["shares", "share", "shares"],
];
const MAX_IN_HEADLINE = 3;

/** Groups digits by thousands: `12,480`. */
const grouped = (count: number) => count.toLocaleString("en");
const counted = (count: number, one: string, several: string) =>
  `${grouped(count)} ${count === 1 ? one : several}`;

/** Sums up a week in a few words: `2 new tracks, 14 plays and 1 download`. */
export function weekHeadline(counts: WeekCounts): string {
  const parts = NOUNS.filter(([metric]) => counts[metric] > 0)
    .slice(0, MAX_IN_HEADLINE)
    .map(([metric, one, several]) => counted(counts[metric], one, several));
  return parts.length === 0 ? "A quiet week so far" : inOneBreath(parts);
}

function inOneBreath(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** Compares a week's plays with those of the week before, in one sentence. */
export function weekBlurb(plays: number, playsLastWeek: number): string {
  const lastWeek = counted(playsLastWeek, "time", "times");
  if (plays === 0 && playsLastWeek === 0) return "Nothing has been played yet this week.";
  if (plays === 0) return `Nothing has been played yet this week; last week it was ${lastWeek}.`;
  const soFar = `Your music has been played ${counted(plays, "time", "times")} this week`;
  if (playsLastWeek === 0) return `${soFar}, after a week without plays.`;
  const difference = plays - playsLastWeek;
  if (difference === 0) return `${soFar}, as often as in all of last week.`;
  if (difference > 0) return `${soFar}, ${grouped(difference)} more than in all of last week.`;
  return `${soFar}; in all of last week it was ${lastWeek}.`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Names a week by its first and last UTC day: `12–18 January 2026`, `29 December 2025 – 4 January 2026`. */
export function weekLabel(monday: number): string {
  const [first, last] = [new Date(monday), new Date(monday + 6 * DAY_MS)];
  const [firstMonth, lastMonth] = [first, last].map((date) => MONTHS[date.getUTCMonth()]);
  const end = `${last.getUTCDate()} ${lastMonth} ${last.getUTCFullYear()}`;
  if (firstMonth === lastMonth) return `${first.getUTCDate()}–${end}`;
  const isOneYear = first.getUTCFullYear() === last.getUTCFullYear();
  return `${first.getUTCDate()} ${firstMonth}${isOneYear ? "" : ` ${first.getUTCFullYear()}`} – ${end}`;
}

/** Says how long a library plays, to the minute: `3 hours 12 minutes`. Null when no duration is known. */
export function durationLabel(durationMs: number): string | null {
  if (durationMs <= 0) return null;
  if (durationMs < MINUTE_MS) return "Less than a minute";
  const hours = Math.floor(durationMs / HOUR_MS);
  const minutes = Math.floor((durationMs % HOUR_MS) / MINUTE_MS);
  const parts = [
    hours > 0 && counted(hours, "hour", "hours"),
    minutes > 0 && counted(minutes, "minute", "minutes"),
  ];
  return parts.filter((part) => part !== false).join(" ");
}

const DEEDS: Readonly<Record<ActivityMetric, string>> = {
  uploaded: "was uploaded",
  plays: "was played",
  views: "was viewed",
  downloads: "was downloaded",
  saved: "was saved",
  shares: "was shared",
  comments: "was commented on",
};

/** Describes an activity: `Night Bus was played`. The name is null when the entity has been deleted since. */
export function activityTitle(metric: ActivityMetric, entity: Entity, name: string | null): string {
  return `${name ?? `A deleted ${entity}`} ${DEEDS[metric]}`;
}
