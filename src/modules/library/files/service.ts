export {
  copyUrl,
  downloadName,
  downloadUrl,
  fileUrl,
  getOriginalFile,
  getRenditionFile,
  listenUrl,
  playbackUrl,
  renditionUrl,
} from "./links.ts";
export {
  type MediaFile,
  originalFile,
  playedFile,
  renditionFile,
  type ServedVersion,
  tagOf,
} from "./version-file.ts";
