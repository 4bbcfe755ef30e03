import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { toIso } from "../../../../kernel/time.ts";
import { listShareEvents } from "../../../library/analytics/service.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import type { ShareRow } from "../queries.ts";
import { getShareRow } from "../service.ts";
import { curveOf } from "./curve.ts";
import * as queries from "./queries.ts";
import type { Listening, ListeningVisit } from "./shapes.ts";
import { sumVisits, type VisitSums } from "./visits.ts";

const MAX_VISITS = 200;
const MAX_TRACKS = 200;

/**
 * Returns what was heard through a link of the account: by visit, and for each track how many visits heard each part of it.
 *
 * @throws DomainError `share_not_found`.
 */
export function getListening({ db }: Pick<Deps, "db">, ownerId: LibraryId, id: string): Listening {
  const share = getShareRow(db, ownerId, id);
  const { visits, totals, leftOut } = sumVisits(listShareEvents(db, id));
  visits.sort((a, b) => b.lastAt - a.lastAt);
  return {
    totals: { visits: visits.length, listened: visits.filter(({ listened }) => listened).length, ...totals },
    visits: visits.slice(0, MAX_VISITS).map(toVisit),
    trackCount: queries.countTracks(db, share),
    tracks: tracksOf({ db }, share, visits),
    notCounted: [...leftOut].map(([reason, count]) => ({ reason, count })),
  };
}

function toVisit({ tracks, firstAt, lastAt, ...sums }: VisitSums): ListeningVisit {
  const used = [...tracks.values()].filter(({ listened, downloads }) => listened || downloads > 0);
  // Of two that began at once, the one that was noted later.
  const last = used
    .filter(({ heard }) => heard.length > 0)
    .toSorted((a, b) => a.lastAt - b.lastAt)
    .at(-1);
  return {
    ...sums,
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt),
    trackId: last?.trackId ?? null,
    heard: toParts(last?.heard ?? []),
    stoppedAtSec: last?.stoppedAtSec ?? null,
    tracks: used.map(({ trackId, listened, plays, downloads, heard, stoppedAtSec }) => ({
      ...{ trackId, listened, plays, downloads },
      ...{ heard: toParts(heard), stoppedAtSec },
    })),
  };
}

const toParts = (parts: readonly (readonly [number, number])[]) =>
  parts.map(([from, to]): [number, number] => [from, to]);

/** What all visits heard of one track. */
type Sums = { plays: number; visits: number; heard: (readonly [from: number, to: number])[] };

function tracksOf(
  { db }: Pick<Deps, "db">,
  share: ShareRow,
  visits: readonly VisitSums[],
): Listening["tracks"] {
  const sums = new Map<string, Sums>();
  if (share.entity === "track") sums.set(share.entityId, { plays: 0, visits: 0, heard: [] });
  for (const { tracks } of visits)
    for (const { trackId, listened, plays, heard } of tracks.values()) {
      if (!listened) continue;
      const sum = sums.get(trackId) ?? { plays: 0, visits: 0, heard: [] };
      sums.set(trackId, sum);
      sum.plays += plays;
      sum.visits++;
      sum.heard.push(...heard);
    }
  return queries.selectTracks(db, share, [...sums.keys()], MAX_TRACKS).map((track) => {
    const { id, versionId, artist } = track;
    const { plays = 0, visits: heardBy = 0, heard = [] } = sums.get(id) ?? {};
    const durationSec = track.durationSec ?? heard.reduce((most, [, to]) => Math.max(most, to), 0);
    return {
      trackId: id,
      versionId,
      title: titleOf(track),
      artist,
      durationSec: durationSec || null,
      plays,
      visits: heardBy,
      curve: curveOf(heard, durationSec || 1, visits.length),
    };
  });
}
