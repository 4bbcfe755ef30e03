/**
 * Whose copy carries which mark. A look-up of a leak needs {@link listCopiesOfFile} first, then for each version that the leak may be
 * of {@link findMarkKey} (with `patternOf`) and the `code` of each of {@link listCopies} (with `codeOf`).
 */
export {
  copyOfLink,
  copyOfPackage,
  forgetRecipient,
  type LinkCopy,
  listCopies,
  listCopiesOfFile,
  type MarkedCopy,
  noteDelivered,
  noteLeaving,
  transferMarks,
} from "./copies.ts";
export {
  beingPrepared,
  copiesOfPackage,
  hasMarkedDownload,
  MARKED_SOURCES,
  markedDownload,
  markedListening,
  prepareCopy,
  preparePackage,
} from "./delivery.ts";
export { eraseMarked, markedShelf, noteFile, setAsideEnded } from "./files.ts";
export { makeHere } from "./here.ts";
export { findMarkKey, markKeyOf, openMovedKeys, resealMarks, sealMovedKeys } from "./keys.ts";
export { MARK_LINKS_JOB, requestMarking } from "./request.ts";
