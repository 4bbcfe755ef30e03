export { appendToUpload, beginUpload, dropUpload, findUpload } from "./arrivals.ts";
export { finishUploads } from "./finish.ts";
export { isNewerLabel } from "./label-order.ts";
export { matchFiles } from "./match.ts";
export { artistKey, nameKeys } from "./name-key.ts";
export { pruneOwnerUploads } from "./prune.ts";
export { hasUpload, type UploadRow } from "./queries.ts";
export { readPath } from "./read-path.ts";
