import type { FileSource } from "../../../kernel/file-source.ts";
import type { Song } from "./known.ts";

/** What a file of a package is made of. */
export type Content =
  | { is: "text"; text: string }
  | { is: "picture"; path: string }
  | { is: "sound"; song: Song; place: number; source: FileSource }
  | { is: "manifest" }
  | { is: "sums" };

/** A file of a package. Its size is known before anything is read. */
export type PlannedFile = { path: string; sizeBytes: number; modifiedAt: number; content: Content };

/** A hash in lower-case hex, before it is known. */
export const UNKNOWN_HASH = "0".repeat(64);

/** Returns the hash of a file of the package by its path. */
export type HashOf = (path: string) => string;
