import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { fold } from "../../../../kernel/text.ts";
import { toIso } from "../../../../kernel/time.ts";
import {
  listShareEvents,
  listUnusedShares,
  type Span,
  usesOfShares,
} from "../../../library/analytics/service.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { selectLastAnswers } from "../answers/queries.ts";
import { publicPageUrl } from "../links.ts";
import { type ShareRow, selectEntityNames, selectTitles } from "../queries.ts";
import { isLive } from "../wire.ts";
import * as queries from "./queries.ts";
import { heardSecOf, sumVisits, type TrackOfVisit } from "./visits.ts";

type ReachDeps = Pick<Deps, "db" | "now" | "settings">;
type Uses = ReturnType<typeof usesOfShares>;

/** A link as the Insights name it. */
export type NamedLink = {
  shareId: string;
  recipient: string | null;
  entity: "track" | "playlist";
  entityId: string;
  name: string | null;
  url: string;
  sentAt: string;
};

/** Someone who got links, and what they did within a time. */
export type Person = {
  name: string;
  /** The links that they used; one leads to its page, several to the list. */
  shareIds: string[];
  plays: number;
  tracks: number;
  heardSec: number;
  /** How long what they heard is in whole; null: not known. */
  lengthSec: number | null;
  stopped: { trackId: string; title: string; atSec: number; durationSec: number | null } | null;
  lastAt: string;
};

/** Who used an account's links within a range of days, and which links were never opened. */
export type Reach = {
  peopleCount: number;
  people: Person[];
  /** Links without a recipient that were used. */
  publicLinks: (NamedLink & { plays: number; lastAt: string })[];
  notOpenedCount: number;
  notOpened: NamedLink[];
};

/** Returns who used an account's links within a span, at most `limit` of each kind: the most plays first. */
export function reachOf(deps: ReachDeps, ownerId: LibraryId, span: Span, limit: number): Reach {
  const { db } = deps;
  const links = queries.selectLinks(db, ownerId, { heardBy: [] });
  const ids = links.map(({ id }) => id);
  const uses = usesOfShares(db, ids, span);
  const used = links.filter(({ id }) => uses.has(id));
  const people = rank([...groupByPerson(used).values()], uses);
  const open = rank(
    used.filter((link) => personOf(link) === "").map((link) => [link]),
    uses,
  );
  const notOpened = unopened(deps, links).toSorted((a, b) => b.createdAt - a.createdAt);
  const named = nameLinks(deps, [...open.slice(0, limit).flat(), ...notOpened.slice(0, limit)]);
  return {
    peopleCount: people.length,
    people: people.slice(0, limit).map((each) => toPerson(db, each, { uses, span })),
    publicLinks: open.slice(0, limit).flatMap(([link]) => {
      const use = link && uses.get(link.id);
      return use ? [{ ...named(link), plays: use.plays, lastAt: toIso(use.lastActivityAt) }] : [];
    }),
    notOpenedCount: notOpened.length,
    notOpened: notOpened.slice(0, limit).map(named),
  };
}

const personOf = ({ recipient }: ShareRow) => fold((recipient ?? "").trim());

const groupByPerson = (links: readonly ShareRow[]) =>
  Map.groupBy(
    links.filter((link) => personOf(link) !== ""),
    personOf,
  );

/** The most plays first; between equals, the latest use. */
function rank(groups: readonly ShareRow[][], uses: Uses): ShareRow[][] {
  const playsOf = (links: readonly ShareRow[]) =>
    links.reduce((sum, { id }) => sum + (uses.get(id)?.plays ?? 0), 0);
  return groups.toSorted((a, b) => playsOf(b) - playsOf(a) || lastOf(b, uses) - lastOf(a, uses));
}

const lastOf = (links: readonly ShareRow[], uses: Uses) =>
  Math.max(...links.map(({ id }) => uses.get(id)?.lastActivityAt ?? 0));

/** Live links that were never used. Whoever answers has opened theirs, also where no script said so. */
function unopened({ db, now }: ReachDeps, links: readonly ShareRow[]): ShareRow[] {
  const live = links.filter((link) => isLive(link, now()));
  const ids = live.map(({ id }) => id);
  const [unused, answers] = [new Set(listUnusedShares(db, ids)), selectLastAnswers(db, ids)];
  return live.filter(({ id }) => unused.has(id) && !answers.has(id));
}

function nameLinks(deps: ReachDeps, links: readonly ShareRow[]): (link: ShareRow) => NamedLink {
  const ids = links.map(({ entityId }) => entityId);
  const [names, titles] = [selectEntityNames(deps.db, ids), selectTitles(deps.db, ids)];
  return (link) => ({
    shareId: link.id,
    recipient: link.recipient?.trim() || null,
    entity: link.entity,
    entityId: link.entityId,
    name: titles.get(link.entityId) ?? names.get(link.entityId) ?? null,
    url: publicPageUrl(deps, link.entity, link.token),
    sentAt: toIso(link.createdAt),
  });
}

function toPerson(db: Db, links: readonly ShareRow[], { uses, span }: { uses: Uses; span: Span }): Person {
  const heard = links
    .flatMap(({ id }) => sumVisits(listShareEvents(db, id, span)).visits)
    .flatMap(({ tracks }) => [...tracks.values()])
    .filter(({ listened }) => listened);
  const byTrack = Map.groupBy(heard, ({ trackId }) => trackId);
  const [first] = links;
  const known = first ? queries.selectTracks(db, first, [...byTrack.keys()], byTrack.size) : [];
  const last = heard.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
  return {
    name: first?.recipient?.trim() ?? "",
    shareIds: links.map(({ id }) => id),
    plays: links.reduce((sum, { id }) => sum + (uses.get(id)?.plays ?? 0), 0),
    tracks: byTrack.size,
    heardSec: Math.round(known.reduce((sum, { id }) => sum + heardSecOf(byTrack.get(id) ?? []), 0)),
    lengthSec: wholeLength(known),
    stopped: stopOf(last, known),
    lastAt: toIso(lastOf(links, uses)),
  };
}

function wholeLength(tracks: readonly queries.TrackRow[]): number | null {
  if (tracks.length === 0 || tracks.some(({ durationSec }) => durationSec === null)) return null;
  return Math.round(tracks.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0));
}

function stopOf(last: TrackOfVisit | undefined, tracks: readonly queries.TrackRow[]): Person["stopped"] {
  const track = last && tracks.find(({ id }) => id === last.trackId);
  if (!track || last.stoppedAtSec === null) return null;
  return {
    trackId: track.id,
    title: titleOf(track),
    atSec: last.stoppedAtSec,
    durationSec: track.durationSec,
  };
}
