import { invalidField } from "../../../kernel/errors.ts";
import { toGtin } from "../../../kernel/identifiers.ts";
import { isBlank } from "../../../kernel/text.ts";
import type { PlaylistRow } from "./queries.ts";
import type { AlbumChange } from "./shapes.ts";

/** What a playlist says as an album, as stored. */
export type AlbumColumns = Pick<
  PlaylistRow,
  "artist" | "albumType" | "label" | "catalogueNumber" | "releaseDate" | "upc"
>;

/**
 * Returns the fields of an album in their stored form. A blank text counts as none.
 *
 * @param kind What the playlist is after the change.
 * @throws DomainError `validation_failed` for a date that does not exist, digits that are no UPC, or anything that is sent to a
 *   playlist that is no album.
 */
export function readAlbum(change: AlbumChange, kind: PlaylistRow["kind"]): Partial<AlbumColumns> {
  const { artist, type, label, catalogueNumber, releaseDate, upc } = change;
  const sent = { artist, type, label, catalogueNumber, releaseDate, upc };
  const [first] = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null);
  if (kind !== "album" && first)
    throw invalidField(first[0], "not_an_album", "belongs to an album: send `kind: album` with it");
  return {
    ...(artist !== undefined && { artist: textOf(artist) }),
    ...(type !== undefined && { albumType: type }),
    ...(label !== undefined && { label: textOf(label) }),
    ...(catalogueNumber !== undefined && { catalogueNumber: textOf(catalogueNumber) }),
    ...(releaseDate !== undefined && { releaseDate: readDate(textOf(releaseDate)) }),
    ...(upc !== undefined && { upc: readUpc(textOf(upc)) }),
  };
}

const textOf = (text: string | null) => (text === null || isBlank(text) ? null : text.trim());

function readDate(text: string | null): string | null {
  if (text === null) return null;
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00.000Z`);
  // Of a day that does not exist, such as 30 February, another one is made.
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
  if (isReal) return text;
  throw invalidField("releaseDate", "date", "must be a year, a month or a day: 2026, 2026-03 or 2026-03-27");
}

function readUpc(text: string | null): string | null {
  if (text === null) return null;
  const digits = text.replaceAll(/[\s\u00a0-]/g, "");
  if (!/^\d{12,13}$/.test(digits))
    throw invalidField("upc", "digits", "must have 12 digits (UPC) or 13 (EAN)");
  if (toGtin(digits) !== undefined) return digits;
  throw invalidField("upc", "check_digit", "has a digit that is wrong: the last one does not fit the others");
}
