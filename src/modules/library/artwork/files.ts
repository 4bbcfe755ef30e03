import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { moveDurably } from "../../../blobs/move.ts";
import { erase, setAside } from "../../../blobs/quarantine.ts";
import type { StagedFile } from "../../../blobs/store.ts";
import type { Settings } from "../../../kernel/settings.ts";

type DataDir = Pick<Settings, "dataDir">;

/** Name of the pictures' folder in the data folder. */
export const ARTWORK_FOLDER = "artwork";

/** The two sizes in which a picture is stored. */
export type ArtworkSize = "picture" | "thumbnail";
const SIZES: readonly ArtworkSize[] = ["picture", "thumbnail"];

const KEY = /^[0-9a-f]{32}\.(jpg|webp)$/;
const STORED_FILE = /^([0-9a-f]{32})(?:\.thumb)?\.(jpg|webp)$/;

/** True for the key of a picture; nothing else is ever turned into a path. */
export function isArtworkKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the absolute path of a picture. @throws RangeError when `key` is not a valid key. */
export function artworkPath(settings: DataDir, key: string, size: ArtworkSize): string {
  if (!isArtworkKey(key)) throw new RangeError("not an artwork key");
  return join(artworkDir(settings), fileName(key, size));
}

/** Returns the names of both files of a picture. */
export function filesOf(key: string): string[] {
  return SIZES.map((size) => fileName(key, size));
}

/** Moves a flushed file to its place, or drops it if the picture already exists. Call it under the write lock. */
export function placeFile(settings: DataDir, key: string, size: ArtworkSize, staged: StagedFile): void {
  const path = artworkPath(settings, key, size);
  if (statSync(path, { throwIfNoEntry: false })?.size === staged.sizeBytes)
    rmSync(staged.path, { force: true });
  else moveDurably(staged.path, path);
}

/** Moves both sizes of a picture to the quarantine, if they exist. Call it under the write lock. */
export function setFilesAside(settings: DataDir, key: string, at: number): void {
  for (const size of SIZES) setAside(settings, artworkPath(settings, key, size), at);
}

/** Deletes both sizes of a picture, wherever they are. Call it under the write lock. */
export function eraseFiles(settings: DataDir, key: string): void {
  for (const size of SIZES) erase(settings, artworkPath(settings, key, size));
}

/** Returns the key of the picture that a file belongs to, or undefined for a file that this module did not make. */
export function keyOfFile(name: string): string | undefined {
  const [, stem, extension] = STORED_FILE.exec(name) ?? [];
  return stem && `${stem}.${extension}`;
}

const fileName = (key: string, size: ArtworkSize) => (size === "picture" ? key : key.replace(".", ".thumb."));

const artworkDir = ({ dataDir }: DataDir) => join(dataDir, ARTWORK_FOLDER);
