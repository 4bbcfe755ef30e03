import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { moveDurably } from "../../../blobs/move.ts";
import { erase, locateSetAside, setAside } from "../../../blobs/quarantine.ts";
import type { StagedFile } from "../../../blobs/store.ts";
import type { Settings } from "../../../kernel/settings.ts";
import type { ArtworkType } from "../../../media/pictures/picture.ts";

type DataDir = Pick<Settings, "dataDir">;

/** Name of the pictures' folder in the data folder: what everybody may see who knows a key. */
export const ARTWORK_FOLDER = "artwork";
/** Name of the folder of the files that pictures were drawn from. Nothing in it is shown. */
export const ORIGINALS_FOLDER = "artwork-originals";

/** The two sizes in which a picture is shown. */
export type ArtworkSize = "picture" | "thumbnail";
/** What is stored of a picture. */
export type ArtworkPart = ArtworkSize | "original";
const SIZES: readonly ArtworkSize[] = ["picture", "thumbnail"];

const KEY = /^[0-9a-f]{32}\.(jpg|webp)$/;
const STORED_FILE = /^([0-9a-f]{32})(?:\.thumb)?\.(jpg|webp)$/;
const STORED_ORIGINAL = /^([0-9a-f]{32})\.(jpg|png|webp|gif)$/;

/**
 * How keys of pictures begin whose original is kept, by its type. Keys from before are random there: one in a thousand million
 * begins so.
 */
const BEGINNINGS: Readonly<Record<ArtworkType, string>> = {
  "image/jpeg": "f11e0001",
  "image/png": "f11e0002",
  "image/webp": "f11e0003",
  "image/gif": "f11e0004",
};
const EXTENSIONS: Readonly<Record<ArtworkType, string>> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
  "image/gif": ".gif",
};
const TYPES = Object.keys(BEGINNINGS) as ArtworkType[];

/** Returns the key of a picture from 32 hex digits. It says of which type the original is, if that is kept. */
export function artworkKey(
  digits: string,
  drawn: "image/jpeg" | "image/webp",
  original?: ArtworkType,
): string {
  const beginning = original ? BEGINNINGS[original] : "";
  return `${beginning}${digits.slice(beginning.length)}${EXTENSIONS[drawn]}`;
}

/** Returns the type of a picture's original; undefined when only what was drawn is kept. */
export function originalTypeOf(key: string): ArtworkType | undefined {
  const type = TYPES.find((each) => key.startsWith(BEGINNINGS[each]));
  return type && key.endsWith(drawnExtension(type)) ? type : undefined;
}

/** Returns how the name of a picture's original ends, with its dot; undefined when it is not kept. */
export function originalExtensionOf(key: string): string | undefined {
  const type = originalTypeOf(key);
  return type && EXTENSIONS[type];
}

/** JPEG stays JPEG, anything else is drawn as WebP. */
const drawnExtension = (type: ArtworkType) => (type === "image/jpeg" ? ".jpg" : ".webp");

/** True for the key of a picture; nothing else is ever turned into a path. */
export function isArtworkKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the absolute path of a picture. @throws RangeError when `key` is not a valid key. */
export function artworkPath({ dataDir }: DataDir, key: string, part: ArtworkPart): string {
  if (!isArtworkKey(key)) throw new RangeError("not an artwork key");
  return join(dataDir, placeOf(key, part));
}

/** Returns the path of a stored picture, in its place or in the quarantine; undefined when it is missing or the key is not one of ours. */
export function locatePicture(
  settings: DataDir,
  key: string,
  part: ArtworkPart = "picture",
): string | undefined {
  if (!isArtworkKey(key) || (part === "original" && !originalTypeOf(key))) return undefined;
  const path = artworkPath(settings, key, part);
  return existsSync(path) ? path : locateSetAside(settings, path);
}

/** Returns where the files of a picture are below the data folder. */
export function filesOf(key: string): string[] {
  return partsOf(key).map((part) => placeOf(key, part));
}

/** Returns what is stored of a picture. */
function partsOf(key: string): readonly ArtworkPart[] {
  return originalTypeOf(key) ? [...SIZES, "original"] : SIZES;
}

/** Moves a flushed file to its place, or drops it if the picture already exists. Call it under the write lock. */
export function placeFile(settings: DataDir, key: string, part: ArtworkPart, staged: StagedFile): void {
  const path = artworkPath(settings, key, part);
  if (statSync(path, { throwIfNoEntry: false })?.size === staged.sizeBytes)
    rmSync(staged.path, { force: true });
  else moveDurably(staged.path, path);
}

/** Moves all files of a picture to the quarantine, if they exist. Call it under the write lock. */
export function setFilesAside(settings: DataDir, key: string, at: number): void {
  for (const part of partsOf(key)) setAside(settings, artworkPath(settings, key, part), at);
}

/** Deletes all files of a picture, wherever they are. Call it under the write lock. */
export function eraseFiles(settings: DataDir, key: string): void {
  for (const part of partsOf(key)) erase(settings, artworkPath(settings, key, part));
}

/** Returns the key of the picture that a file belongs to, or undefined for a file that this module did not make. */
export function keyOfFile(name: string): string | undefined {
  const [, stem, extension] = STORED_FILE.exec(name) ?? [];
  return stem && `${stem}.${extension}`;
}

/** Returns the key of the picture whose original a file is, or undefined for a file that this module did not make. */
export function keyOfOriginal(name: string): string | undefined {
  const [, stem, extension] = STORED_ORIGINAL.exec(name) ?? [];
  const type = TYPES.find((each) => EXTENSIONS[each] === `.${extension}`);
  const key = type && `${stem}${drawnExtension(type)}`;
  return key && originalTypeOf(key) === type ? key : undefined;
}

function placeOf(key: string, part: ArtworkPart): string {
  if (part === "picture") return `${ARTWORK_FOLDER}/${key}`;
  if (part === "thumbnail") return `${ARTWORK_FOLDER}/${key.replace(".", ".thumb.")}`;
  const type = originalTypeOf(key);
  if (!type) throw new RangeError("the key of a picture without its original");
  return `${ORIGINALS_FOLDER}/${key.slice(0, key.indexOf("."))}${EXTENSIONS[type]}`;
}
