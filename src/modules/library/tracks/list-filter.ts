import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { decodeCursor } from "../../../kernel/paging.ts";
import { fold } from "../../../kernel/text.ts";
import { DAY_MS, parseUtcDay } from "../../../kernel/time.ts";
import type { Only, PageColumn, PageShape, PageValues } from "./queries.ts";
import { LIST_FIELDS, type ListField, type ListTracksQuery, type TrackSort } from "./shapes.ts";
import { writtenKeys } from "./written-keys.ts";

/** A parsed list request. */
export type ListFilter = {
  shape: PageShape;
  values: PageValues;
  /** Identifies this listing (account, sort and filters) in its cursors. */
  list: string;
  /** The fields of each item; undefined when the caller did not choose. */
  fields: readonly ListField[] | undefined;
};

const ALL_COLUMNS: readonly PageColumn[] = ["name", "createdAt", "cid", "profile", "analysis", "visible"];
/** Later than any track. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER - 1;
/** SQLite sorts blobs after all text, so this comes after every name. */
const BEHIND_EVERY_NAME = new Uint8Array([0]);

/**
 * Turns a list request into a database query. `values.limit` is one more than the page size, which shows whether
 * there is a next page.
 *
 * @throws DomainError `validation_failed` for an unknown field, a day that does not exist, an invalid key, or a cursor that
 *   belongs to another account, sort or filter.
 */
export function readFilter(db: Db, ownerId: LibraryId, query: ListTracksQuery): ListFilter {
  const { sort, tagMode, limit, cursor } = query;
  const fields = query.fields ? readFields(query.fields) : undefined;
  const { text, tags, createdFrom, createdTo } = readConditions(query);

  const only = readOnly(query);
  const music = readMusic(db, ownerId, query);
  const status = query.analysis;
  const asked = [...only, status, ...Object.values(music)];
  const list = JSON.stringify([ownerId, sort, text, tags, tagMode, createdFrom, createdTo, ...asked]);
  const after = cursor === undefined ? beginning(sort, createdFrom, createdTo) : decodeCursor(cursor, list);
  const columns = fields ? ALL_COLUMNS.filter((column) => isAskedFor(column, fields)) : ALL_COLUMNS;
  return {
    shape: { sort, hasText: text !== "", tagFilter: tags === "[]" ? "none" : tagMode, only, columns },
    values: {
      ownerId,
      afterKey: after.key,
      afterId: after.id,
      createdFrom,
      createdTo,
      text,
      tags,
      ...(status && { status }),
      ...music,
      limit: limit + 1,
    },
    list,
    fields,
  };
}

const readOnly = ({ analysis, untagged, neverPlayed, bpmMin, bpmMax, key }: ListTracksQuery): Only[] => [
  ...(analysis ? (["status"] as const) : []),
  ...(untagged ? (["untagged"] as const) : []),
  ...(neverPlayed ? (["neverPlayed"] as const) : []),
  ...(bpmMin === undefined ? [] : (["bpmMin"] as const)),
  ...(bpmMax === undefined ? [] : (["bpmMax"] as const)),
  ...(key === undefined ? [] : (["keys"] as const)),
];

/** Returns what a list asks of tempo and key. */
function readMusic(
  db: Db,
  ownerId: LibraryId,
  { bpmMin, bpmMax, key }: ListTracksQuery,
): Pick<PageValues, "bpmMin" | "bpmMax" | "keys"> {
  return {
    ...(bpmMin !== undefined && { bpmMin }),
    ...(bpmMax !== undefined && { bpmMax }),
    ...(key !== undefined && { keys: writtenKeys(db, ownerId, key) }),
  };
}

/** What a list of tracks may be asked for, whoever asks. */
export type Conditions = Pick<PageValues, "text" | "tags" | "createdFrom" | "createdTo">;

/**
 * Returns the conditions of a list request in the form that queries compare with.
 *
 * @throws DomainError `validation_failed` for a day that does not exist.
 */
export function readConditions(
  query: Pick<ListTracksQuery, "q" | "tags" | "createdAfter" | "createdBefore">,
): Conditions {
  const lastDay = firstMs("createdBefore", query.createdBefore);
  return {
    text: query.q ? fold(query.q) : "",
    tags: JSON.stringify(query.tags ? readTags(query.tags) : []),
    createdFrom: firstMs("createdAfter", query.createdAfter) ?? 0,
    createdTo: lastDay === undefined ? END_OF_TIME : lastDay + DAY_MS - 1,
  };
}

/** Returns the place just before the first possible track of a list. Ids are never empty. */
function beginning(sort: TrackSort, createdFrom: number, createdTo: number) {
  if (sort === "created_at") return { key: createdFrom, id: "" };
  if (sort === "-created_at") return { key: createdTo + 1, id: "" };
  return { key: sort === "name" ? "" : BEHIND_EVERY_NAME, id: "" };
}

/** `visible` is part of the answer only when the caller did not choose fields (decision 3.3). */
function isAskedFor(column: PageColumn, fields: readonly ListField[]): boolean {
  if (column === "visible") return false;
  return fields.includes(column === "profile" ? "audio_profile" : column);
}

function readFields(csv: string): ListField[] {
  const names = csv.split(",").map((name) => name.trim());
  const fields = LIST_FIELDS.filter((field) => names.includes(field));
  if (fields.length === new Set(names).size) return fields;
  throw invalidField("fields", "unknown_field", `may hold ${LIST_FIELDS.join(", ")}`);
}

/** Returns folded, distinct names in a fixed order, so equal filters give equal lists. */
function readTags(csv: string): string[] {
  const names = csv.split(",").map((name) => fold(name.trim()));
  return [...new Set(names)].filter((name) => name !== "").sort();
}

function firstMs(path: string, day: string | undefined): number | undefined {
  if (day === undefined) return undefined;
  const at = parseUtcDay(day);
  if (at === undefined) throw invalidField(path, "invalid_date", "must be a day that exists, YYYY-MM-DD");
  return at;
}
