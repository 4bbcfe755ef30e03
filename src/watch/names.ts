/** Names that programs give to unfinished files, and to those that are not to be shared. Lower case. */
const IGNORED_ENDINGS =
  ".tmp .temp .part .partial .crdownload .download .filepart .!ut .reapeaks .reapindex .asd .pkf .sfk .rpp-bak .ovw .nfo".split(
    " ",
  );
const IGNORED_STARTS = [".", "~$", "~syncthing~"];
/** Folders in which programs keep what belongs to a project. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  ...["backup", "backups", "freeze", "freeze files", "freeze files.nosync", "peaks"],
  ...["$recycle.bin", "system volume information", "@eadir", "#recycle"],
]);

/** True for a file that is never taken: a hidden or temporary one. */
export function isIgnoredFile(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    IGNORED_STARTS.some((start) => lower.startsWith(start)) ||
    IGNORED_ENDINGS.some((end) => lower.endsWith(end))
  );
}

/** The most that a picture beside songs may have. */
const MAX_PICTURE_BYTES = 7 * 1024 * 1024;

/** The names under which players and rippers keep the picture of a folder; the first one found counts. */
const PICTURES = ["cover", "folder", "front"];
const PICTURE = /(?:^|\/)(cover|folder|front)\.(?:jpe?g|png|webp)$/i;

/** Returns the place of a picture's name among those that a folder's picture may have; below zero for any other name. */
export const pictureRank = (path: string): number =>
  PICTURES.indexOf(PICTURE.exec(path)?.[1]?.toLowerCase() ?? "");

/** True for a file that is named as the picture of its folder. */
export const isFolderPicture = (path: string, sizeBytes: number): boolean =>
  pictureRank(path) >= 0 && sizeBytes <= MAX_PICTURE_BYTES;

/** The most that a file with words may have. */
const MAX_WORDS_BYTES = 400 * 1024;
const WORDS = /\.(?:lrc|txt)$/i;

/** True for a file that may have the words of a song beside it. */
export const isWords = (path: string, sizeBytes: number): boolean =>
  WORDS.test(path) && sizeBytes <= MAX_WORDS_BYTES;

/** Returns a path without its ending: `song.lrc` belongs to `song.wav`. */
export const songOf = (path: string): string => path.replace(/\.[^./]+$/, "").toLowerCase();

/** True for a folder that is never looked into. */
export const isIgnoredFolder = (name: string): boolean =>
  name.startsWith(".") || IGNORED_FOLDERS.has(name.toLowerCase());
