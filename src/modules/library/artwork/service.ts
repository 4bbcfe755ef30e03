import { existsSync, statSync } from "node:fs";
import { type Db, transact } from "../../../../db/client.ts";
import type { KeptFile } from "../../../blobs/kept.ts";
import { type Shelf, takeOut } from "../../../blobs/quarantine.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { publicUrlOf, type Settings } from "../../../kernel/settings.ts";
import {
  ARTWORK_FOLDER,
  type ArtworkSize,
  artworkPath,
  eraseFiles,
  filesOf,
  isArtworkKey,
  keyOfFile,
  keyOfOriginal,
  locatePicture,
  ORIGINALS_FOLDER,
  placeFile,
  setFilesAside,
} from "./files.ts";
import * as queries from "./queries.ts";
import type { StagedArtwork } from "./stage.ts";

export {
  type ArtworkPart,
  type ArtworkSize,
  isArtworkKey,
  locatePicture,
  originalExtensionOf,
} from "./files.ts";
export { isShownByOthers } from "./queries.ts";
export { type MeasuredPicture, measurePicture } from "./size.ts";
export { type ArtworkSource, addressedPicture, base64Picture, pictureAt } from "./source.ts";
export { discardArtwork, type StagedArtwork, stageArtwork, stageArtworkFile } from "./stage.ts";

type DataDir = Pick<Settings, "dataDir">;

/** Returns the public address of a picture; `?size=thumbnail` gives the small one. */
export function artworkUrl(settings: Settings, key: string): string {
  return `${publicUrlOf(settings)}/artwork/${key}`;
}

/**
 * Moves a staged picture to its place. Call it inside the transaction that writes its key to a row: the database's
 * write lock keeps removal and sweep away. If that transaction fails, call {@link removeUnshown}.
 */
export function placeArtwork(settings: DataDir, { key, files }: StagedArtwork): void {
  for (const [part, staged] of files) placeFile(settings, key, part, staged);
}

/** The pictures as they are shown, two files each, named by the rows that show them. */
export const artworkShelf: Shelf = {
  folder: ARTWORK_FOLDER,
  isOurs: (name) => keyOfFile(name) !== undefined,
  isNamed: (db, name) => queries.isShown(db, keyOfFile(name) ?? ""),
};

/** The files that pictures were drawn from, where they are kept. */
export const artworkOriginalShelf: Shelf = {
  folder: ORIGINALS_FOLDER,
  isOurs: (name) => keyOfOriginal(name) !== undefined,
  isNamed: (db, name) => queries.isShown(db, keyOfOriginal(name) ?? ""),
};

/** The shelves of {@link listPictures}. */
export const PICTURE_SHELVES: readonly Shelf[] = [artworkShelf, artworkOriginalShelf];

/** True for the path of a picture's file below the data folder. */
export const isPicturePath = (path: string): boolean =>
  PICTURE_SHELVES.some(({ folder }) => path.startsWith(`${folder}/`));

/** Returns the files of every picture that is shown, in the order of their paths. */
export function listPictures(db: Db): KeptFile[] {
  return queries
    .listShown(db)
    .filter(({ key }) => isArtworkKey(key))
    .flatMap(({ key, id }) => filesOf(key).map((path) => ({ path, id })))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Moves pictures that nothing shows any more to the quarantine. Call it after the transaction that dropped them: inside
 * it, a failed commit would bring a row back without its picture.
 */
export function removeUnshown(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  keys: readonly (string | null | undefined)[],
): void {
  const candidates = keys.filter((key) => typeof key === "string" && isArtworkKey(key)) as string[];
  if (candidates.length === 0) return;
  transact(db, (tx) => {
    for (const key of candidates) if (!queries.isShown(tx, key)) setFilesAside(settings, key, now());
  });
}

/**
 * Returns the path of the best file of a picture: the original or, where that is not kept, what was drawn of it. It says nothing beside
 * its pixels, and is for those who may have the picture, not for visitors.
 */
export function locateBestPicture(settings: DataDir, key: string): string | undefined {
  return locatePicture(settings, key, "original") ?? locatePicture(settings, key);
}

/** Deletes pictures that nothing shows any more, at once. Call it as {@link removeUnshown}. */
export function eraseUnshown({ db, settings }: Pick<Deps, "db" | "settings">, keys: readonly string[]): void {
  transact(db, (tx) => {
    for (const key of keys) if (isArtworkKey(key) && !queries.isShown(tx, key)) eraseFiles(settings, key);
  });
}

/** A picture on disk. */
export type ArtworkFile = { path: string; sizeBytes: number; mediaType: string; lastModifiedAt: number };

/**
 * Returns the file of a picture. Anyone who knows its key may see it. One that is still shown is brought back from the
 * quarantine.
 *
 * @throws DomainError `not_found`.
 */
export function getArtwork(
  { db, settings }: Pick<Deps, "db" | "settings">,
  key: string,
  size: ArtworkSize,
): ArtworkFile {
  if (!isArtworkKey(key)) throw noPicture();
  const path = artworkPath(settings, key, size);
  if (!existsSync(path) && queries.isShown(db, key)) takeOut(settings, path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw noPicture();
  const mediaType = key.endsWith(".jpg") ? "image/jpeg" : "image/webp";
  return { path, sizeBytes: stat.size, mediaType, lastModifiedAt: Math.floor(stat.mtimeMs) };
}

const noPicture = () => new DomainError("not_found", "There is no such picture");

/** A logo is sent with every mail. */
const MAX_MAILED_BYTES = 60 * 1024;

/** Returns the small one of a picture to be sent in a mail, or null when it is missing or too large for that. */
export async function logoForMail(
  settings: DataDir,
  key: string,
): Promise<{ type: string; base64: string } | null> {
  const file = Bun.file(artworkPath(settings, key, "thumbnail"));
  if (!(await file.exists()) || file.size > MAX_MAILED_BYTES) return null;
  return { type: file.type, base64: Buffer.from(await file.arrayBuffer()).toString("base64") };
}
