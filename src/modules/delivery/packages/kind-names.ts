import { KIND_NAMES, PART_NAMES } from "../../library/families/shapes.ts";
import type { SetPlace } from "./known.ts";

/** Returns what a track is beside the main mix, as in `Instrumental, 30 s`; undefined for the main mix and for others. */
export function kindName({
  kind,
  part,
  editSec,
}: Pick<SetPlace, "kind" | "part" | "editSec">): string | undefined {
  const words = [
    kind === "stem" && part !== null ? PART_NAMES[part] : undefined,
    kind === "main" || kind === "other" || kind === "stem" ? undefined : KIND_NAMES[kind],
    editSec === null ? undefined : `${editSec} s`,
  ].filter((word) => word !== undefined);
  if (words.length === 0) return kind === "stem" ? KIND_NAMES.stem : undefined;
  return words.join(", ");
}

/** Returns the folder of a track below its song's, with a slash; nothing for the main mix. */
export function kindFolder({ kind, editSec }: SetPlace): string {
  if (kind === "main") return editSec === null ? "" : "Edits/";
  return kind === "stem" ? "Stems/" : `${KIND_NAMES[kind]}/`;
}
