import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { createMemory } from "../../../../db/unchanged.ts";
import { mayDo, type Reach, type Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { encodeCursor, type Page } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { reachesTrack } from "../../people/rooms/service.ts";
import { publicPageUrl } from "../../sharing/shares/service.ts";
import { heardInTracks } from "../analysis/service.ts";
import { artworkUrl } from "../artwork/service.ts";
import { ownedAmong } from "../catalog/service.ts";
import { shareholdersOfTrack } from "../composers/service.ts";
import { summaryOf } from "../families/service.ts";
import { readinessCounts } from "../readiness/service.ts";
import { findRights } from "../rights/service.ts";
import { nearestToUnknown } from "../tags/service.ts";
import { TAG_CATEGORIES, toRelation } from "../tags/shapes.ts";
import { readFilter } from "./list-filter.ts";
import { toListItems } from "./list-items.ts";
import * as queries from "./queries.ts";
import {
  DETAIL_FIELDS,
  type ListTracksQuery,
  type Measured,
  type SingleTrack,
  type TrackDetail,
  type TrackListItem,
  type VersionSummary,
} from "./shapes.ts";

export { applyDetails, type Details, type ReplacedDetails, undoDetails } from "./details/apply-details.ts";
export { readConditions } from "./list-filter.ts";
export { genresAndMoodsOf } from "./list-items.ts";
export {
  addTracks,
  discardTrackFile,
  keepTrackFiles,
  type NewTrackFile,
  stageTrackFile,
} from "./upload/create.ts";
export { describeTrackFiles } from "./upload/describe.ts";
export { stageFromUrl } from "./upload/from-url.ts";
export { findTrackWithBytes, importFile, isAudioFile } from "./upload/import.ts";
export type { Described, StagedTrackFile } from "./upload/track-file.ts";
export { writtenKeys } from "./written-keys.ts";

type ReadDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Returns a page of an account's tracks, hidden ones included. Pages never skip or repeat an existing track, even if
 * others are added between requests.
 *
 * @throws DomainError `validation_failed` for an unknown field, a day that does not exist, an invalid key, or a cursor that
 *   belongs to another account, sort or filter.
 */
export function listTracks(
  deps: ReadDeps,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  sent: ListTracksQuery,
): Page<TrackListItem> {
  const { limit } = sent;
  // For those who do not see plays, no track has any.
  const query = mayDo(viewer, "read:analytics") ? sent : { ...sent, neverPlayed: false };
  const { shape, values, list, fields } = readFilter(deps.db, ownerId, query);
  const rows = queries.selectPage(deps.db, shape, values);
  const hasMore = rows.length > limit;
  if (hasMore) rows.length = limit;
  const last = rows.at(-1);
  const nextCursor = hasMore && last ? encodeCursor(last.sortKey, last.id, list) : null;
  return { items: toListItems(deps, rows, fields), paging: { limit, next_cursor: nextCursor } };
}

/** Returns the account's tracks among `ids`, by id, with the list's default fields. */
export function listTracksById(
  deps: ReadDeps,
  ownerId: LibraryId,
  ids: readonly string[],
): Map<string, TrackListItem> {
  const rows = queries.selectItems(deps.db, ownerId, ids);
  return new Map(toListItems(deps, rows, undefined).map((item) => [item.id, item]));
}

/** Returns the `ids` that do not belong to a track of the account, each once, in the order given. */
export function missingTracks(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  ids: readonly string[],
): string[] {
  const owned = ownedAmong(db, ownerId, ids);
  return [...new Set(ids)].filter((id) => !owned.has(id));
}

/** Returns the tags of a query that the taxonomy does not have, each with the nearest ones; undefined when there are none. */
export async function unknownTagsOf({
  tags = "",
}: Pick<ListTracksQuery, "tags">): Promise<Record<string, string[]> | undefined> {
  const names = tags.split(",").flatMap((name) => name.trim() || []);
  return names.length === 0 ? undefined : nearestToUnknown(names);
}

/** Returns how many tracks an account has, hidden ones included (decision 4.5). */
export function countTracks({ db }: Pick<Deps, "db">, ownerId: LibraryId): { count: number } {
  return { count: queries.selectTrackCount(db, ownerId) };
}

/** Whoever reads a track, how much of a library they reach, and what they see of it. */
type Reader = Reach & Viewer & { accountId: LibraryId };

/**
 * Returns a track with its versions; `track` is null if unknown or another account's (decision 2.7), and for guests of rooms that
 * do not hold it.
 */
export function findTrack(
  deps: ReadDeps,
  { accountId: ownerId, rooms, ...viewer }: Reader,
  id: string,
): SingleTrack {
  const { db } = deps;
  const isReached = rooms === undefined || reachesTrack(deps, { rooms }, id);
  const found = isReached ? queries.selectTrack(db, ownerId, id, deps.now()) : undefined;
  // Links are no guest's business.
  const row = found && rooms ? { ...found, token: null } : found;
  if (!row) return { track: null, id, userId: null, activeVersionId: null, versions: [] };
  const { activeVersionId } = row;
  const versions = queries.selectVersions(db, id).map((version) => toSummary(version, activeVersionId));
  const isVisible = versions.some(({ active, visible }) => active && visible);
  const { rights, heard, ...beside } = besideOf(
    deps,
    { accountId: ownerId, ...viewer, ...(rooms && { rooms }) },
    id,
  );
  const track = { ...toDetail(deps, row, { isVisible, rights, heard }), ...beside };
  return { track, id, userId: ownerId, activeVersionId, versions };
}

/** What other modules say of a track; what there is not is left out. */
type Beside = Pick<TrackDetail, "family" | "readiness" | "rights"> &
  Pick<TrackDetail["audio_profile"], "heard">;

/** Of as many tracks. */
const remembered = createMemory<Beside>(2000);

function besideOf(deps: ReadDeps, reader: Reader, id: string): Beside {
  // What is still to be done before it goes out is no guest's business.
  if (reader.rooms)
    return present({
      family: summaryOf(deps, reader, id),
      rights: findRights(deps.db, id),
      heard: heardIn(deps.db, id),
    });
  const key = `${reader.accountId} ${id} ${mayDo(reader, "read:composers")}`;
  return remembered(deps.db, key, () =>
    present({
      family: summaryOf(deps, reader, id),
      readiness: readinessCounts(deps, reader, id),
      rights: findRights(deps.db, id),
      heard: heardIn(deps.db, id),
    }),
  );
}

type Maybe<Values> = { [Name in keyof Values]: Values[Name] | undefined };

const present = ({ family, readiness, rights, heard }: Maybe<Beside>): Beside => ({
  ...(family && { family }),
  ...(readiness && { readiness }),
  ...(rights && { rights }),
  ...(heard && { heard }),
});

const heardIn = (db: Db, id: string) => heardInTracks(db, [id]).get(id);

function toSummary(row: queries.SummaryRow, activeVersionId: string): VersionSummary {
  return {
    id: row.id,
    label: row.label,
    name: row.name,
    active: row.id === activeVersionId,
    visible: row.visible === 1,
    createdAt: toIso(row.createdAt),
  };
}

function toDetail(
  deps: ReadDeps,
  row: queries.TrackRow,
  { isVisible, rights, heard }: { isVisible: boolean } & Pick<Maybe<Beside>, "rights" | "heard">,
): TrackDetail {
  return {
    id: row.id,
    name: row.name,
    createdAt: toIso(row.createdAt),
    cid: row.cid,
    visible: isVisible,
    link: row.token === null ? null : publicPageUrl(deps, "track", row.token),
    audio_profile: { ...toProfile(deps, row), ...(heard && { heard }) },
    shareholderTracks: row.hasShareholders === 1 ? shareholdersOfTrack(deps, row.id) : [],
    ...(rights && { rights }),
    analysis: {
      status: row.analysisStatus,
      code: row.analysisCode,
      reason: row.analysisReason,
      measured: findMeasured(deps.db, row.analysisVersionId),
    },
  };
}

function toProfile({ db, settings }: ReadDeps, row: queries.TrackRow): TrackDetail["audio_profile"] {
  const { title, artist, bpm, key, durationSec } = row;
  const tags = queries.selectTags(db, row.id);
  const profile: Record<string, unknown> = { title, artist, bpm, key, durationSec };
  for (const category of TAG_CATEGORIES) profile[category] = toRelation(tags, category);
  for (const field of DETAIL_FIELDS) profile[field] = row[field];
  if (row.cover !== null) profile.cover = artworkUrl(settings, row.cover);
  // Every member of the type has just been filled in.
  return profile as TrackDetail["audio_profile"];
}

function findMeasured(db: Db, versionId: string | null): Measured | null {
  const row = versionId === null ? undefined : queries.selectMeasured(db, versionId);
  if (!row) return null;
  return {
    ...row,
    analysedAt: toIso(row.analysedAt),
    bpmCandidates: JSON.parse(row.bpmCandidates),
    lossless: row.lossless === null ? null : row.lossless === 1,
    truncated: row.truncated === 1,
    structure: row.structure === null ? null : JSON.parse(row.structure),
  };
}
