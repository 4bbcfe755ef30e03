export { appendToUpload, beginUpload, dropUpload, findUpload } from "./arrivals.ts";
export { finishUpload, finishUploads } from "./finish.ts";
export { findNamesakes, matchFiles } from "./match.ts";
export { isNewerLabel } from "./names/label-order.ts";
export { artistKey, isGeneric, type NameKey, songKeys, titleIn } from "./names/name-key.ts";
export { type ReadKind, readKind } from "./names/read-kind.ts";
export { possibleLabel, readName } from "./names/read-name.ts";
export { foldersOf, type PathReading, readPath } from "./names/read-path.ts";
export { type ReadForm, receivePassing } from "./passing.ts";
export { pruneOwnerUploads } from "./prune.ts";
export {
  countUploadsOf,
  endUploadsOf,
  hasUpload,
  selectNames,
  selectTracksNamed,
  type TrackNames,
  type UploadRow,
} from "./queries.ts";
export { letWait, listWaiting } from "./waiting.ts";
