export {
  downloadName,
  downloadUrl,
  fileUrl,
  getOriginalFile,
  getRenditionFile,
  listenUrl,
  playbackUrl,
} from "./links.ts";
export { type MediaFile, originalFile, renditionFile } from "./version-file.ts";
