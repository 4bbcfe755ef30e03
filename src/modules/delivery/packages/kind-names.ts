import type { Family } from "../../library/families/service.ts";

type FamilyMember = Family["members"][number];

import type { SetPlace } from "./known.ts";

const KINDS: Readonly<Record<FamilyMember["kind"], string>> = {
  main: "Main mix",
  instrumental: "Instrumental",
  acapella: "A cappella",
  clean: "Clean",
  tv: "TV mix",
  stem: "Stem",
  other: "Other",
};

const PARTS: Readonly<Record<NonNullable<FamilyMember["part"]>, string>> = {
  drums: "Drums",
  bass: "Bass",
  guitars: "Guitars",
  keys: "Keys",
  strings: "Strings",
  brass: "Brass",
  vocals: "Vocals",
  backing: "Backing vocals",
  effects: "Effects",
  other: "Other",
};

/** Returns what a track is beside the main mix, as in `Instrumental, 30 s`; undefined for the main mix and for others. */
export function kindName({
  kind,
  part,
  editSec,
}: Pick<SetPlace, "kind" | "part" | "editSec">): string | undefined {
  const words = [
    kind === "stem" && part !== null ? PARTS[part] : undefined,
    kind === "main" || kind === "other" || kind === "stem" ? undefined : KINDS[kind],
    editSec === null ? undefined : `${editSec} s`,
  ].filter((word) => word !== undefined);
  if (words.length === 0) return kind === "stem" ? KINDS.stem : undefined;
  return words.join(", ");
}

/** Returns the folder of a track below its song's, with a slash; nothing for the main mix. */
export function kindFolder({ kind, editSec }: SetPlace): string {
  if (kind === "main") return editSec === null ? "" : "Edits/";
  return kind === "stem" ? "Stems/" : `${KINDS[kind]}/`;
}
