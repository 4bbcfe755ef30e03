import type { FileWindow } from "../view/file-window.ts";
import type { Fields } from "./fields.ts";
import type { NotWritten, Piece } from "./retagged.ts";

/** What else may be in a copy. */
export type RetagOptions = {
  /** True: what the original's tags say stays where no field replaces it. Left out: it does not go along. */
  keepsOther?: boolean | undefined;
};

/**
 * Returns a copy's pieces, and the fields that are not in it.
 *
 * @throws MediaError `corrupt` for a file that is not built as its format wants, `unsupported` for a form that is not rewritten.
 */
export type TagWriter = (
  file: FileWindow,
  fields: Fields,
  options: RetagOptions,
) => Promise<{ pieces: Piece[]; notWritten: NotWritten[] }>;
