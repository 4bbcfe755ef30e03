import type { FileSource } from "../../../kernel/file-source.ts";
import type { Retagged } from "../../../media/retag/retagged.ts";
import type { Song } from "./known.ts";
import type { Tagging } from "./tagged.ts";

/** The sound of a song in a package. */
export type Sound = {
  is: "sound";
  song: Song;
  place: number;
  source: FileSource;
  /** Null: the original bit for bit. */
  copy: (Tagging & Pick<Retagged, "written" | "notWritten">) | null;
};

/** What a file of a package is made of. */
export type Content =
  | { is: "text"; text: string }
  | { is: "picture"; path: string }
  | Sound
  | { is: "manifest" }
  | { is: "sums" };

/** A file of a package. Its size is known before it is made. */
export type PlannedFile = { path: string; sizeBytes: number; modifiedAt: number; content: Content };

/** A hash in lower-case hex, before it is known. */
export const UNKNOWN_HASH = "0".repeat(64);

/** Returns the hash of a file of the package by its path. */
export type HashOf = (path: string) => string;
