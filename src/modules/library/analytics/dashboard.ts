import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import * as queries from "./dashboard-queries.ts";
import type { Span } from "./periods.ts";
import type { ActivityItem, Dashboard } from "./shapes.ts";
import {
  activityTitle,
  durationLabel,
  type WeekCounts,
  weekBlurb,
  weekHeadline,
  weekLabel,
} from "./words.ts";

const WEEK_MS = 7 * DAY_MS;
const RECENT_ITEMS = 10;
/** The first Monday of 1970, which began on a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

/**
 * Returns an account's week so far, from Monday 00:00 UTC (decision 2.19), and figures on its library. The texts are
 * null when the library has no tracks and no activity.
 */
export function dashboard({ db, now }: Pick<Deps, "db" | "now">, ownerId: LibraryId): Dashboard {
  const monday = mondayOf(now());
  const week = { from: monday, to: monday + WEEK_MS - 1 };
  const counts = countsOf(db, ownerId, week);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const library = queries.selectLibrary(db, ownerId, week);
  const isEmpty = library.tracks === 0 && total === 0;
  const lastWeek = countsOf(db, ownerId, { from: monday - WEEK_MS, to: monday - 1 });
  return {
    thisWeek: {
      rangeLabel: isEmpty ? null : weekLabel(monday),
      headline: isEmpty ? null : weekHeadline(counts),
      blurb: isEmpty ? null : weekBlurb(counts.plays, lastWeek.plays),
      uploaded: counts.uploaded,
      views: counts.views,
      downloads: counts.downloads,
    },
    recentActivity: {
      totalThisWeek: total,
      items: queries.selectRecent(db, ownerId, week, RECENT_ITEMS).map(toItem),
    },
    tracks: { total: library.tracks, uploadedThisWeek: library.uploaded },
    yourSound: {
      genre: library.genre,
      mood: library.mood,
      totalDurationLabel: durationLabel(library.durationMs),
    },
    playlists: { total: library.playlists, lastUpdatedAt: toIsoOrNull(library.playlistsUpdatedAt) },
  };
}

/** Returns the first millisecond of the ISO week of a time. */
function mondayOf(at: number): number {
  return at - ((((at - FIRST_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
}

function countsOf(db: Db, ownerId: LibraryId, week: Span): WeekCounts {
  const counts = { uploaded: 0, plays: 0, views: 0, downloads: 0, saved: 0, shares: 0, comments: 0 };
  for (const { metric, count } of queries.selectWeek(db, ownerId, week)) counts[metric] = count;
  return counts;
}

function toItem(row: queries.RecentRow): ActivityItem {
  return {
    id: row.id,
    title: activityTitle(row.metric, row.entity, row.name),
    entityKey: row.entity,
    entityId: row.entityId,
    sentAt: toIso(row.at),
    actor: { type: row.actorType, name: row.actorName },
  };
}
