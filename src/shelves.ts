import type { Shelf } from "./blobs/quarantine.ts";
import { audioShelf } from "./blobs/store.ts";
import { uploadShelf } from "./modules/briefs/submissions/prune.ts";
import { PICTURE_SHELVES } from "./modules/library/artwork/service.ts";
import { renditionShelf } from "./modules/library/renditions/service.ts";
import { hasUpload } from "./modules/library/uploads/service.ts";
import { markedShelf } from "./modules/sharing/marks/service.ts";

/** Unfinished uploads: those of visitors and those of owners share a folder. */
const arrivingShelf: Shelf = {
  ...uploadShelf,
  isNamed: (db, id) => uploadShelf.isNamed(db, id) || hasUpload(db, id),
};

/** Every folder whose files belong to rows. */
export const SHELVES: readonly Shelf[] = [
  audioShelf,
  ...PICTURE_SHELVES,
  renditionShelf,
  markedShelf,
  arrivingShelf,
];
