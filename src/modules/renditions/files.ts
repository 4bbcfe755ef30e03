import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StagedFile } from "../../blobs/store.ts";
import type { Settings } from "../../kernel/settings.ts";

type DataDir = Pick<Settings, "dataDir">;

const FILE_NAME = /^([0-9a-f]{64})\.ogg$/;

/** Name of the renditions' folder in the data folder. */
export const RENDITIONS_FOLDER = "renditions";
const renditionsDir = ({ dataDir }: DataDir): string => join(dataDir, RENDITIONS_FOLDER);

/** Returns the absolute path of the rendition of an original, by the SHA-256 (lower-case hex) of the original. */
export function renditionPath(settings: DataDir, sha256: string): string {
  return join(renditionsDir(settings), `${sha256}.ogg`);
}

/** True when a rendition's file is there whole. */
export function isThere(settings: DataDir, sha256: string, sizeBytes: number): boolean {
  return statSync(renditionPath(settings, sha256), { throwIfNoEntry: false })?.size === sizeBytes;
}

/** Moves a staged file to its place, over any other. Call it inside `transact`: the write lock guards the folder. */
export function placeFile(settings: DataDir, sha256: string, { path }: Pick<StagedFile, "path">): void {
  mkdirSync(renditionsDir(settings), { recursive: true, mode: 0o700 });
  renameSync(path, renditionPath(settings, sha256));
}

/** Deletes the rendition of an original. Call it inside `transact`. */
export function removeFile(settings: DataDir, sha256: string): void {
  rmSync(renditionPath(settings, sha256), { force: true });
}

/** Returns the original of a rendition's file; undefined for a file that is not of our making. */
export function originalOfFile(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}
