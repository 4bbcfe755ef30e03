import { isListen, type ShareEvent } from "../../../library/analytics/service.ts";
import { type Intervals, lengthOf, union } from "../counting/intervals.ts";
import { readParts } from "../counting/parts.ts";

/** What a visitor did with one track. */
export type TrackOfVisit = {
  trackId: string;
  /** Whether something of it was heard, see {@link isListen}. */
  listened: boolean;
  plays: number;
  downloads: number;
  heard: Intervals;
  /** The length of the longest listen, in seconds: all that is known without the parts. */
  longestSec: number;
  stoppedAtSec: number | null;
  lastAt: number;
};

/** What a visitor of a link did. */
export type VisitSums = {
  visit: string;
  firstAt: number;
  lastAt: number;
  plays: number;
  downloads: number;
  comments: number;
  listened: boolean;
  tracks: Map<string, TrackOfVisit>;
};

const COUNTED = ["plays", "downloads", "comments"] as const;
type Counted = (typeof COUNTED)[number];

/** What happened through a link. */
export type LinkSums = {
  visits: VisitSums[];
  totals: Record<Counted, number>;
  /** How often something was left out, by its reason. */
  leftOut: Map<string, number>;
};

/**
 * Sums up the events of a link by visit. A listen that was too short for a play says what was heard nevertheless. Everything
 * else that was left out is only counted, by its reason.
 */
export function sumVisits(events: readonly ShareEvent[]): LinkSums {
  const visits = new Map<string, VisitSums>();
  const totals = { plays: 0, downloads: 0, comments: 0 };
  const leftOut = new Map<string, number>();
  for (const event of events) {
    const reason = event.leftOut;
    if (reason !== null) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    if (reason !== null && reason !== "short") continue;
    const counted = countedIn(event);
    if (counted) totals[counted]++;
    if (event.visit !== null) addEvent(visits, event.visit, event);
  }
  return { visits: [...visits.values()], totals, leftOut };
}

/** Returns the count that an event raises, if any. */
function countedIn({ metric, leftOut }: ShareEvent): Counted | undefined {
  return leftOut === null ? COUNTED.find((each) => each === metric) : undefined;
}

function addEvent(visits: Map<string, VisitSums>, visit: string, event: ShareEvent): void {
  const sums = visits.get(visit) ?? beginVisit(visit, event.at);
  visits.set(visit, sums);
  sums.lastAt = event.at;
  const counted = countedIn(event);
  if (counted) sums[counted]++;
  sums.listened ||= isListen(event);
  if (event.entity === "track") addTrack(sums, event);
}

const beginVisit = (visit: string, at: number): VisitSums => ({
  visit,
  firstAt: at,
  lastAt: at,
  plays: 0,
  downloads: 0,
  comments: 0,
  listened: false,
  tracks: new Map(),
});

function addTrack({ tracks }: VisitSums, event: ShareEvent): void {
  const { metric, entityId, at, heard, heardSec, stoppedSec } = event;
  if (metric !== "downloads" && !isListen(event)) return;
  const track = tracks.get(entityId) ?? beginTrack(entityId);
  tracks.set(entityId, track);
  const counted = countedIn(event);
  if (counted === "plays" || counted === "downloads") track[counted]++;
  if (metric === "downloads") return;
  track.listened = true;
  track.lastAt = at;
  const parts = readParts(heard);
  track.heard = track.heard.length === 0 ? parts : union(track.heard, parts);
  track.longestSec = Math.max(track.longestSec, heardSec ?? 0);
  track.stoppedAtSec = stoppedSec ?? track.stoppedAtSec;
}

const beginTrack = (trackId: string): TrackOfVisit => ({
  trackId,
  listened: false,
  plays: 0,
  downloads: 0,
  heard: [],
  longestSec: 0,
  stoppedAtSec: null,
  lastAt: 0,
});

/** Returns how much of a track visits heard, in seconds; twice counts once. Where no parts are known, it is the longest listen. */
export function heardSecOf(visits: readonly TrackOfVisit[]): number {
  const heard = lengthOf(visits.map((visit) => visit.heard).reduce(union, []));
  return heard > 0 ? heard : Math.max(0, ...visits.map(({ longestSec }) => longestSec));
}
