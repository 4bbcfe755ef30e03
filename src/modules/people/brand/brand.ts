import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import {
  artworkUrl,
  base64Picture,
  discardArtwork,
  placeArtwork,
  removeUnshown,
  stageArtwork,
} from "../../library/artwork/service.ts";
import { contrastsOf, isSeen, readColour } from "./colour.ts";
import * as queries from "./queries.ts";
import type { Brand, ChangeBrand } from "./shapes.ts";

const NONE: queries.BrandRow = { name: null, accent: null, website: null, logoKey: null };

/** Returns what the pages of an account show in place of our name, colour and mark; null: ours. */
export function brandOf({ db }: Pick<Deps, "db">, accountId: LibraryId): queries.BrandRow {
  const found = queries.findBrand(db, accountId);
  return found ? { ...found, website: publicWebsite(found.website) } : NONE;
}

/** Returns an account's brand, for its owner. */
export function getBrand(deps: Pick<Deps, "db" | "settings">, accountId: LibraryId): Brand {
  const { logoKey, ...brand } = brandOf(deps, accountId);
  return { ...brand, logoUrl: logoKey === null ? null : artworkUrl(deps.settings, logoKey) };
}

/**
 * Changes the fields sent of an account's brand; null or blank clears one.
 *
 * @throws DomainError `validation_failed` for an accent that is no colour or is not seen in both schemes, or for a website
 *   that is no address.
 */
export function changeBrand(
  deps: Pick<Deps, "db" | "settings">,
  accountId: LibraryId,
  wanted: ChangeBrand,
): Brand {
  const change = readBrand(wanted);
  transact(deps.db, (tx) =>
    queries.writeBrand(tx, accountId, { ...brandOf({ db: tx }, accountId), ...change }),
  );
  return getBrand(deps, accountId);
}

/** Returns the fields sent in their stored form, without storing them; throws as {@link changeBrand} does. */
export function readBrand({ name, accent, website }: ChangeBrand): Partial<queries.BrandRow> {
  return {
    ...(name !== undefined && { name: name?.trim() || null }),
    ...(accent !== undefined && { accent: readAccent(accent) }),
    ...(website !== undefined && { website: readWebsite(website) }),
  };
}

function readAccent(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const accent = readColour(text);
  if (accent === undefined) throw invalidField("accent", "colour", "must be a colour such as #2f6f4e");
  if (isSeen(accent)) return accent;
  const { light } = contrastsOf(accent);
  const detail =
    light < 3 ? "is too light to be seen on light paper" : "is too dark to be seen on dark paper";
  throw invalidField("accent", "contrast", detail);
}

function readWebsite(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const address = /^[a-z]+:/i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname.includes("."))
    throw invalidField("website", "url", "must be the address of a website");
  if (url.username !== "" || url.password !== "")
    throw invalidField("website", "url", "must be the address of a website, without a user name or password");
  return url.href;
}

/** Earlier versions kept user names and passwords in it. Everybody would read them. */
function publicWebsite(kept: string | null): string | null {
  const url = kept === null ? null : URL.parse(kept);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * Sets an account's logo, or takes it away: null. It is redrawn, as covers are.
 *
 * @throws DomainError `invalid_image_type`, `insufficient_storage`.
 */
export async function setLogo(
  deps: Deps,
  accountId: LibraryId,
  image: string | null,
  signal: AbortSignal,
): Promise<Brand> {
  const logo = image === null ? null : await stageArtwork(deps, accountId, base64Picture(image), signal);
  const before = brandOf(deps, accountId).logoKey;
  try {
    transact(deps.db, (tx) => {
      if (logo) placeArtwork(deps.settings, logo);
      queries.writeBrand(tx, accountId, { ...brandOf({ db: tx }, accountId), logoKey: logo?.key ?? null });
    });
  } finally {
    if (logo) await discardArtwork(logo);
    removeUnshown(deps, [before, logo?.key]);
  }
  return getBrand(deps, accountId);
}
