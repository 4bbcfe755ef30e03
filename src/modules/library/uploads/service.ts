export { appendToUpload, beginUpload, dropUpload, findUpload } from "./arrivals.ts";
export { finishUpload, finishUploads } from "./finish.ts";
export { isNewerLabel } from "./label-order.ts";
export { findNamesakes, matchFiles } from "./match.ts";
export { artistKey, nameKeys, titleIn } from "./name-key.ts";
export { pruneOwnerUploads } from "./prune.ts";
export { hasUpload, selectNames, type TrackNames, type UploadRow } from "./queries.ts";
export { foldersOf, type PathReading, readPath } from "./read-path.ts";
export { letWait, listWaiting } from "./waiting.ts";
