/**
 * Whose copy carries which mark. A look-up of a leak needs {@link listCopiesOfFile} first, then for each version that the leak may be
 * of {@link findMarkKey} (with `patternOf`) and the `code` of each of {@link listCopies} (with `codeOf`).
 */
export {
  type CopyKind,
  copyOfLink,
  type LinkCopy,
  listCopies,
  listCopiesOfFile,
  type MarkedCopy,
  noteDelivered,
  transferMarks,
} from "./copies.ts";
export { findMarkKey, type Marked, markKeyOf, openMovedKeys, resealMarks, sealMovedKeys } from "./keys.ts";
