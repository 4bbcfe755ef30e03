import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { mayDo, type Viewer } from "../../../kernel/actor.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { readConditions, writtenKeys } from "../tracks/service.ts";
import type { Condition, Filter } from "./table/queries.ts";
import { type SortName, STATUSES, type TrackFilter } from "./table/shapes.ts";

/**
 * Turns a filter as sent into conditions on the table's rows.
 *
 * @throws DomainError `validation_failed` for a day that does not exist, an unknown state or an invalid key.
 */
export function readTrackFilter(db: Db, ownerId: LibraryId, sent: TrackFilter): Filter {
  const { text, tags, createdFrom, createdTo } = readConditions(sent);
  const tagged = tags === "[]" ? undefined : tags;
  const asked: Record<Condition, string | number | boolean | undefined> = {
    text: text || undefined,
    anyTag: sent.tagMode === "all" ? undefined : tagged,
    allTags: sent.tagMode === "all" ? tagged : undefined,
    untagged: sent.untagged,
    createdFrom: sent.createdAfter && createdFrom,
    createdTo: sent.createdBefore && createdTo,
    status: readStatuses(sent.status),
    visible: sent.visible,
    key: sent.key === undefined ? undefined : writtenKeys(db, ownerId, sent.key),
    bpmMin: sent.bpmMin,
    bpmMax: sent.bpmMax,
    durationMin: sent.durationMinSec,
    durationMax: sent.durationMaxSec,
    albumId: isPlaylistId(sent.album) ? sent.album : undefined,
    albumName: isPlaylistId(sent.album) ? undefined : sent.album?.trim() || undefined,
    onAlbum: sent.onAlbum,
    onePerSong: sent.onePerSong || undefined,
  };
  const given = Object.entries(asked).flatMap(([condition, value]) =>
    value === undefined ? [] : [[condition, typeof value === "boolean" ? Number(value) : value] as const],
  );
  return {
    ...(sent.inInbox === true && { isInbox: true }),
    conditions: given.map(([condition]) => condition as Condition),
    values: Object.fromEntries(given),
  };
}

/** Returns the order that a reader gets: by plays only for those who see them. For others each track has none. */
export function sortFor(viewer: Viewer, sort: SortName): SortName {
  if (mayDo(viewer, "read:analytics")) return sort;
  if (sort === "plays") return "created_at";
  return sort === "-plays" ? "-created_at" : sort;
}

/** No album is called what an id looks like. */
const isPlaylistId = (text: string | undefined) => text !== undefined && /^pl_[0-9a-f]{32}$/.test(text);

function readStatuses(csv: string | undefined): string | undefined {
  if (csv === undefined) return undefined;
  const names = partsOf(csv);
  if (names.every((name) => (STATUSES as readonly string[]).includes(name))) return JSON.stringify(names);
  throw invalidField("status", "unknown_status", `may hold ${STATUSES.join(", ")}`);
}

const partsOf = (csv: string) =>
  csv
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
