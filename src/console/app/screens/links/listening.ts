import { clock } from "../../../../pages/waveform.ts";
import type { paths } from "../../api/types.ts";
import { ago } from "../../ui/dates.ts";

/** Something that happened through a link. */
export type Activity =
  paths["/app/shares/{id}/activity"]["get"]["responses"][200]["content"]["application/json"]["data"][number];

/** What one visitor of a link did. */
export type Visit = {
  visit: string;
  /** When it was noticed last. */
  at: string;
  plays: number;
  /** The longest that one play was heard; undefined: nothing was played. */
  heardSec: number | undefined;
  downloads: number;
  comments: number;
};

const TIMES = ["", "once", "twice", "three times", "four times", "five times"];

/** Returns what visitors did, the newest first. What does not count, such as the owner's own look, is left out. */
export function visitsOf(activity: readonly Activity[]): Visit[] {
  const counted = activity.filter((each) => each.counted && each.visit !== null && each.metric !== "shares");
  return [...Map.groupBy(counted, ({ visit }) => visit ?? "")].map(([visit, all]) => {
    const of = (metric: string) => all.filter((each) => each.metric === metric);
    const heard = of("plays").flatMap(({ heardSec }) => heardSec ?? []);
    return {
      visit,
      at: all[0]?.sentAt ?? "",
      plays: of("plays").length,
      heardSec: heard.length > 0 ? Math.max(...heard) : undefined,
      downloads: of("downloads").length,
      comments: of("comments").length,
    };
  });
}

/** Returns in a sentence what became of a link. */
export function sentenceOf(
  recipient: string | null,
  activity: readonly Activity[],
  now = Date.now(),
): string {
  const visits = visitsOf(activity);
  const plays = activity.filter(({ metric, counted }) => metric === "plays" && counted);
  const [last] = plays;
  const who = recipient ?? (visits.length === 1 ? "One visitor" : `${visits.length} visitors`);
  if (visits.length === 0)
    return recipient ? `${recipient} has not opened it yet.` : "Nobody has opened it yet.";
  if (!last) return `${who} opened it ${ago(visits[0]?.at ?? "", now)}, and has not listened yet.`;
  const times = TIMES[plays.length] ?? `${plays.length} times`;
  const stop = last.heardSec === null ? "" : `, and heard ${clock(last.heardSec)} of it`;
  const when = plays.length === 1 ? "" : "last ";
  return `${who} listened ${times}, ${when}${ago(last.sentAt, now)}${stop}.`;
}

const WHY: Readonly<Record<string, string>> = {
  owner: "your own",
  repeat: "heard again soon after",
  machine: "by machines",
  head: "by machines",
  prefetch: "by previews",
  unseen: "never on screen",
  short: "too short",
  incomplete: "broken off",
};

/** Returns what was not counted, by its reason. */
export function leftOutOf(activity: readonly Activity[]): { why: string; count: number }[] {
  const left = activity.flatMap(({ leftOut }) => (leftOut === null ? [] : (WHY[leftOut] ?? leftOut)));
  return [...Map.groupBy(left, (why) => why)].map(([why, all]) => ({ why, count: all.length }));
}
