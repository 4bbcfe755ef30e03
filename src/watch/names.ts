/** Names that programs give to what is not finished or not theirs to share. Lower case. */
const IGNORED_ENDINGS =
  ".tmp .temp .part .partial .crdownload .download .filepart .!ut .reapeaks .reapindex .asd .pkf .sfk .rpp-bak .ovw .nfo".split(
    " ",
  );
const IGNORED_STARTS = [".", "~$", "~syncthing~"];
/** Folders in which programs keep what belongs to a project. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set(
  "backup backups freeze peaks .dropbox.cache $recycle.bin system volume information @eadir #recycle".split(
    " ",
  ),
);

/** True for a file that is never taken: a hidden or temporary one. */
export function isIgnoredFile(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    IGNORED_STARTS.some((start) => lower.startsWith(start)) ||
    IGNORED_ENDINGS.some((end) => lower.endsWith(end))
  );
}

/** True for a folder that is never looked into. */
export const isIgnoredFolder = (name: string): boolean =>
  name.startsWith(".") || IGNORED_FOLDERS.has(name.toLowerCase());
