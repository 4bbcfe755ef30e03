import { eq } from "drizzle-orm";
import type { Db } from "../../../../../db/client.ts";
import { type tracks, versions } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { findMeasuredTempoAndKey } from "../../analysis/service.ts";
import { placeArtwork, type StagedArtwork } from "../../artwork/service.ts";
import { findTrackRow, type TrackColumns, updateTrack } from "../../catalog/service.ts";
import type { DetailsInput } from "./details-shapes.ts";

type TrackRow = typeof tracks.$inferSelect;
/** A detail by its name in the API. */
type Field = Exclude<keyof DetailsInput, "total_discs_albumm">;
/** Details; if a cover was sent, it has already been rendered and is on disk. */
export type Details = Omit<DetailsInput, "cover"> & { cover?: StagedArtwork | null };
/** What a change replaced and wrote, for {@link undoDetails}. */
export type ReplacedDetails = { former: TrackColumns; written: TrackColumns; ownerFields: string[] };
/** The result of a change: the API names of the changed fields, and the cover that the track no longer uses. */
export type AppliedDetails = {
  name: string;
  changed: string[];
  formerCover: string | null;
  replaced: ReplacedDetails;
};

/** Columns whose names differ from the API's. */
const COLUMNS: Partial<Record<Field, keyof TrackRow>> = {
  album_artist: "albumArtist",
  album_composer: "albumComposer",
  album_year: "albumYear",
  track_number: "trackNumber",
  disc_number: "discNumber",
  total_tracks_album: "totalTracksAlbum",
  total_discs_album: "totalDiscsAlbum",
};
const columnOf = (field: Field): keyof TrackRow => COLUMNS[field] ?? (field as keyof TrackRow);

/**
 * Writes details of a track that the account owns, and the list of fields that belong to the owner. Call it inside
 * the transaction that announces the change.
 */
export function applyDetails(
  tx: Db,
  { settings }: Pick<Deps, "settings">,
  { trackId, details }: { trackId: string; details: Details },
): AppliedDetails {
  const before = findTrackRow(tx, trackId);
  if (!before) throw new Error(`There is no track ${trackId}. The caller must check that first`);
  if (details.cover) placeArtwork(settings, details.cover);

  const { columns, ownerFields } = plan(tx, before, details);
  const changed = (Object.keys(columns) as Field[]).filter(
    (field) => columns[field] !== before[columnOf(field)],
  );
  const written = Object.fromEntries(changed.map((field) => [columnOf(field), columns[field]]));
  updateTrack(tx, trackId, { ...written, ownerFields });
  return {
    name: (columns.name as string | undefined) ?? before.name,
    changed,
    formerCover: changed.includes("cover") ? before.cover : null,
    replaced: {
      former: Object.fromEntries(changed.map((field) => [columnOf(field), before[columnOf(field)]])),
      written,
      ownerFields: before.ownerFields,
    },
  };
}

/**
 * Brings back the details that a change replaced, except those written since. Call it inside the transaction that
 * announces it. Returns the columns that are different now.
 */
export function undoDetails(
  tx: Db,
  trackId: string,
  { former, written, ownerFields }: ReplacedDetails,
): (keyof TrackColumns)[] {
  const current = findTrackRow(tx, trackId);
  if (!current) return [];
  const names = Object.keys(former) as (keyof TrackColumns)[];
  const undone = names.filter((name) => current[name] === written[name]);
  const isOwned = (name: string) =>
    (undone as string[]).includes(name) ? ownerFields.includes(name) : current.ownerFields.includes(name);
  updateTrack(tx, trackId, {
    ...Object.fromEntries(undone.map((name) => [name, former[name]])),
    ownerFields: [...new Set([...current.ownerFields, ...ownerFields])].filter(isOwned),
  });
  return undone;
}

type Plan = { columns: Partial<Record<Field, string | number | null>>; ownerFields: string[] };

/** Returns the new value of every field that was sent, and the fields that belong to the owner afterwards. */
function plan(tx: Db, before: TrackRow, details: Details): Plan {
  const owned = new Set(before.ownerFields);
  const columns: Plan["columns"] = {};
  for (const [field, value] of Object.entries(normalised(details)) as [Field, string | number | null][]) {
    if (field === "name") {
      columns.name = value ?? fileNameOf(tx, before);
      continue;
    }
    const isMeasured = value === null && (field === "bpm" || field === "key");
    columns[field] = isMeasured ? findMeasuredTempoAndKey(tx, before.id)[field] : value;
    // A text that the owner cleared also counts as written by the owner, so analyses do not fill it again.
    if (isMeasured) owned.delete(field);
    else owned.add(columnOf(field));
  }
  return { columns, ownerFields: [...owned] };
}

/** Returns the fields that were sent, with aliases resolved and values in their stored form. */
function normalised({ total_discs_albumm: alias, cover, ...details }: Details) {
  return {
    ...(alias !== undefined && { total_discs_album: alias }),
    ...details,
    ...(typeof details.isrc === "string" && { isrc: details.isrc.toUpperCase().replaceAll("-", "") }),
    // A blank key means no key.
    ...(details.key?.trim() === "" && { key: null }),
    ...(cover !== undefined && { cover: cover?.key ?? null }),
  };
}

/** Returns the active version's name: that of its file unless it was renamed. */
function fileNameOf(tx: Db, { activeVersionId, name }: TrackRow): string {
  const version = tx
    .select({ name: versions.name })
    .from(versions)
    .where(eq(versions.id, activeVersionId))
    .get();
  return version?.name ?? name;
}
