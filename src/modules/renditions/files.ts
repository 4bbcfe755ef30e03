import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StagedFile } from "../../blobs/store.ts";
import type { Settings } from "../../kernel/settings.ts";

type DataDir = Pick<Settings, "dataDir">;

const FILE_NAME = /^([0-9a-f]{64})\.ogg$/;

const renditionsDir = ({ dataDir }: DataDir): string => join(dataDir, "renditions");

/** Returns the absolute path of the rendition of an original, by the SHA-256 (lower-case hex) of the original. */
export function renditionPath(settings: DataDir, sha256: string): string {
  return join(renditionsDir(settings), `${sha256}.ogg`);
}

/** Returns when a rendition's file was made, epoch milliseconds; undefined when it is not there whole. */
export function fileMadeAt(settings: DataDir, sha256: string, sizeBytes: number): number | undefined {
  const found = statSync(renditionPath(settings, sha256), { throwIfNoEntry: false });
  return found?.size === sizeBytes ? Math.round(found.mtimeMs) : undefined;
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

/** Returns the originals whose renditions are in the folder. Files that are not of our making are left out. */
export function listFiles(settings: DataDir): string[] {
  try {
    return readdirSync(renditionsDir(settings)).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
