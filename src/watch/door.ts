import type { Covered } from "../modules/library/albums/shapes.ts";
import type { RememberedFile, TakenFile } from "../modules/library/intake/shapes.ts";
import type { Entry } from "./scan.ts";

/** What takes a folder's files, and where they come from. */
export type Origin = { kind: "watch" | "send" | "import"; source: string };

/** The version that a file became. */
export type Song = { trackId: string; versionId?: string | undefined };

/** How a file becomes a version, where its name is not to decide. */
export type Wish = { trackId?: string | undefined; label?: string | undefined };

/** The library that files go into: the one of this process, or one elsewhere. */
export type Door = {
  /** Returns the remembered files of a folder. */
  remembered: (source: string) => Promise<RememberedFile[]>;
  /**
   * Takes a file in. Undefined: the file changed while it was read, and nothing happened.
   *
   * @throws UnreachableError when the server cannot be reached.
   */
  take: (entry: Entry, origin: Origin, wish?: Wish) => Promise<TakenFile | undefined>;
  /**
   * Makes a picture the cover of the files that came in from its folder.
   *
   * @throws UnreachableError when the server cannot be reached; Error with a sentence for a file that is not a picture.
   */
  cover: (entry: Entry, origin: Origin) => Promise<Covered>;
  /**
   * Gives a song the words of a file that lies beside it, unless a person has written some.
   *
   * @param song `versionId` is undefined for the version that plays.
   * @throws As `cover` does.
   */
  words: (entry: Entry, song: Song) => Promise<void>;
};

/** The server cannot be reached, or not now. The same can be tried again. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}
