export { downloadName, downloadUrl, getOriginalFile, getRenditionFile, playbackUrl } from "./links.ts";
export { findVersion, type VersionRow } from "./queries.ts";
export { type MediaFile, originalFile, renditionFile } from "./version-file.ts";
