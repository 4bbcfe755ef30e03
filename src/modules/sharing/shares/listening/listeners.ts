import type { LibraryId } from "../../../../../db/schema.ts";
import { mayDo, type Viewer } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { decodeCursor, encodeCursor, type Page } from "../../../../kernel/paging.ts";
import { fold } from "../../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../../kernel/time.ts";
import {
  listShareEvents,
  listSharesOfTrack,
  readBounds,
  refuseReversed,
  usesOfShares,
} from "../../../library/analytics/service.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { publicPageUrl } from "../links.ts";
import { type ShareRow, selectEntityNames } from "../queries.ts";
import { isLive } from "../wire.ts";
import * as queries from "./queries.ts";
import type { Listener, ListenersQuery } from "./shapes.ts";
import { heardSecOf, sumVisits, type TrackOfVisit } from "./visits.ts";

type ListenerDeps = Pick<Deps, "db" | "now" | "settings">;
type Range = { from: number; to: number };
type Ranked = { share: ShareRow; lastHeardAt: number | null; lastActivityAt: number | null };

const MAX_TRACKS = 200;

/**
 * Returns a page of an account's links with whom they are for and what was heard through them: the last heard first, and
 * those that were never heard at the end, newest first.
 *
 * @throws DomainError `validation_failed` for a bound that is no time, or for a cursor of another listing.
 */
export function listListeners(
  deps: ListenerDeps,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  query: ListenersQuery,
): Page<Listener> {
  const { limit, cursor, trackId } = query;
  const range = rangeOf(query);
  const list = JSON.stringify(["listeners", ownerId, { ...query, limit: 0, cursor: "" }]);
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list);
  const seesListening = mayDo(viewer, "read:analytics");
  const links = rankedLinks(deps, ownerId, query, range);
  const ranked = seesListening
    ? links
    : links.map((link) => ({ ...link, lastHeardAt: null })).sort(newestFirst);
  const rest = after
    ? ranked.filter((each) => compare(each, { lastHeardAt: Number(after.key), id: after.id }) > 0)
    : ranked;
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  const names = selectEntityNames(
    deps.db,
    page.map(({ share }) => share.entityId),
  );
  return {
    items: page.map((each) => toListener(deps, each, { range, trackId, names })),
    paging: { limit, next_cursor: last ? encodeCursor(last.lastHeardAt ?? 0, last.share.id, list) : null },
  };
}

function rangeOf(query: ListenersQuery): Range {
  const bounds = readBounds(query);
  refuseReversed(bounds);
  return { from: bounds.since ?? 0, to: bounds.until ?? Number.MAX_SAFE_INTEGER };
}

function rankedLinks(
  { db }: ListenerDeps,
  ownerId: LibraryId,
  query: ListenersQuery,
  range: Range,
): Ranked[] {
  const { trackId, playlistId, recipient } = query;
  const wanted = fold((recipient ?? "").trim());
  const heardBy = trackId === undefined ? [] : listSharesOfTrack(db, ownerId, trackId);
  const links = queries
    .selectLinks(db, ownerId, { ...(playlistId && { playlistId }), ...(trackId && { trackId }), heardBy })
    .filter((share) => wanted === "" || fold(share.recipient ?? "").includes(wanted));
  const uses = usesOfShares(
    db,
    links.map(({ id }) => id),
    { ...range, trackId },
  );
  return links
    .map((share) => {
      const { lastHeardAt = null, lastActivityAt = null } = uses.get(share.id) ?? {};
      return { share, lastHeardAt, lastActivityAt };
    })
    .sort((a, b) => compare(a, { lastHeardAt: b.lastHeardAt, id: b.share.id }));
}

const newestFirst = (one: Ranked, other: Ranked) => compare(one, { lastHeardAt: null, id: other.share.id });

/** The last heard first; ids made later sort later. */
function compare({ share, lastHeardAt }: Ranked, other: { lastHeardAt: number | null; id: string }): number {
  const later = (other.lastHeardAt ?? 0) - (lastHeardAt ?? 0);
  if (later !== 0 || share.id === other.id) return later;
  return share.id < other.id ? 1 : -1;
}

type Showing = { range: Range; trackId: string | undefined; names: ReadonlyMap<string, string> };

function toListener(
  deps: ListenerDeps,
  { share, lastHeardAt, lastActivityAt }: Ranked,
  { range, trackId, names }: Showing,
): Listener {
  const events = listShareEvents(deps.db, share.id, range).filter(
    ({ entityId }) => trackId === undefined || entityId === trackId,
  );
  const { visits, totals } = sumVisits(events);
  const heard = visits
    .flatMap(({ tracks }) => [...tracks.values()])
    .filter(({ listened, downloads }) => listened || downloads > 0);
  return {
    recipient: share.recipient,
    shareId: share.id,
    url: publicPageUrl(deps, share.entity, share.token),
    entity: share.entity,
    entityId: share.entityId,
    name: names.get(share.entityId) ?? null,
    active: isLive(share, deps.now()),
    sentAt: toIso(share.createdAt),
    visits: visits.length,
    ...totals,
    lastHeardAt: toIsoOrNull(lastHeardAt),
    lastActivityAt: toIsoOrNull(lastActivityAt),
    tracks: tracksOf(deps, share, heard),
  };
}

function tracksOf(
  { db }: Pick<Deps, "db">,
  share: ShareRow,
  heard: readonly TrackOfVisit[],
): Listener["tracks"] {
  const byTrack = Map.groupBy(heard, ({ trackId }) => trackId);
  return queries.selectTracks(db, share, [...byTrack.keys()], MAX_TRACKS).map((track) => {
    const visits = byTrack.get(track.id) ?? [];
    const last = visits.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
    const sum = (count: "plays" | "downloads") => visits.reduce((all, visit) => all + visit[count], 0);
    return {
      trackId: track.id,
      title: titleOf(track),
      plays: sum("plays"),
      downloads: sum("downloads"),
      heardSec: Math.round(heardSecOf(visits)),
      durationSec: track.durationSec,
      stoppedAtSec: last?.stoppedAtSec ?? null,
      lastAt: toIsoOrNull(last?.lastAt || null),
    };
  });
}
