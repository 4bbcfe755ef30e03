import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { moveDurably } from "../../blobs/move.ts";
import type { StagedFile } from "../../blobs/store.ts";
import type { Settings } from "../../kernel/settings.ts";

type DataDir = Pick<Settings, "dataDir">;

/** The two sizes that a picture is kept in. */
export type ArtworkSize = "picture" | "thumbnail";
const SIZES: readonly ArtworkSize[] = ["picture", "thumbnail"];

const KEY = /^[0-9a-f]{32}\.(jpg|webp)$/;
const STORED_FILE = /^([0-9a-f]{32})(?:\.thumb)?\.(jpg|webp)$/;

/** True for what names a picture; anything else is never made into a path. */
export function isArtworkKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the absolute path of a picture. @throws RangeError for what is not a key. */
export function artworkPath(settings: DataDir, key: string, size: ArtworkSize): string {
  if (!isArtworkKey(key)) throw new RangeError("not a key of artwork");
  return join(artworkDir(settings), size === "picture" ? key : key.replace(".", ".thumb."));
}

/** Moves a flushed file to its place, or drops it when the same picture is there. Call it under the write lock. */
export function placeFile(settings: DataDir, key: string, size: ArtworkSize, staged: StagedFile): void {
  const path = artworkPath(settings, key, size);
  if (statSync(path, { throwIfNoEntry: false })?.size === staged.sizeBytes)
    rmSync(staged.path, { force: true });
  else moveDurably(staged.path, path);
}

/** Deletes both sizes of a picture; does nothing when there are none. */
export function removeFiles(settings: DataDir, key: string): void {
  for (const size of SIZES) rmSync(artworkPath(settings, key, size), { force: true });
}

/** Returns the keys of the pictures that have a file. Files that are not of this module's making are left out. */
export function storedKeys(settings: DataDir): Set<string> {
  const keys = new Set<string>();
  for (const name of namesIn(artworkDir(settings))) {
    const [, stem, extension] = STORED_FILE.exec(name) ?? [];
    if (stem) keys.add(`${stem}.${extension}`);
  }
  return keys;
}

const artworkDir = ({ dataDir }: DataDir) => join(dataDir, "artwork");

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
