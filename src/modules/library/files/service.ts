export { downloadName, downloadUrl, getOriginalFile, getRenditionFile, playbackUrl } from "./links.ts";
export { type MediaFile, originalFile, renditionFile } from "./version-file.ts";
