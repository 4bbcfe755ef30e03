import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { erase, setAside, takeOut } from "../../../blobs/quarantine.ts";
import type { StagedFile } from "../../../blobs/store.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { ENCODINGS, type Encoding } from "../../../media/encoder.ts";

type DataDir = Pick<Settings, "dataDir">;

/** Identifies a rendition: the SHA-256 (lower-case hex) of its original, and its encoding. */
export type RenditionKey = { sha256: string; encoding: Encoding };

const ENDINGS: Readonly<Record<Encoding, string>> = { opus: "ogg", aac: "m4a" };
const FILE_NAME = /^([0-9a-f]{64})\.(ogg|m4a)$/;

/** Name of the renditions' folder in the data folder. */
export const RENDITIONS_FOLDER = "renditions";
const renditionsDir = ({ dataDir }: DataDir): string => join(dataDir, RENDITIONS_FOLDER);

/** Returns the absolute path of a rendition. */
export function renditionPath(settings: DataDir, { sha256, encoding }: RenditionKey): string {
  return join(renditionsDir(settings), `${sha256}.${ENDINGS[encoding]}`);
}

/** True when the file of a rendition that a row names is complete. It is brought back from the quarantine. */
export function isThere(settings: DataDir, key: RenditionKey, sizeBytes: number): boolean {
  const path = renditionPath(settings, key);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size === sizeBytes || (size === undefined && takeOut(settings, path, sizeBytes));
}

/**
 * Moves a staged file to its place, replacing any other. Call it inside `transact`: the write lock guards the folder.
 */
export function placeFile(settings: DataDir, key: RenditionKey, { path }: Pick<StagedFile, "path">): void {
  mkdirSync(renditionsDir(settings), { recursive: true, mode: 0o700 });
  renameSync(path, renditionPath(settings, key));
}

/** Deletes a rendition, wherever it is. Call it inside `transact`. */
export function eraseFile(settings: DataDir, key: RenditionKey): void {
  erase(settings, renditionPath(settings, key));
}

/** Moves a rendition to the quarantine. Call it inside `transact`. */
export function setFileAside(settings: DataDir, key: RenditionKey, at: number): void {
  setAside(settings, renditionPath(settings, key), at);
}

/** Returns which rendition a file is, or undefined for a file that this module did not make. */
export function keyOfFile(name: string): RenditionKey | undefined {
  const [, sha256, ending] = FILE_NAME.exec(name) ?? [];
  const encoding = ENCODINGS.find((candidate) => ENDINGS[candidate] === ending);
  return sha256 && encoding ? { sha256, encoding } : undefined;
}
