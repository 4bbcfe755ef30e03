/** Kinds of members, in the order in which they are listed. */
export const FAMILY_KINDS = ["main", "instrumental", "acapella", "clean", "tv", "stem", "other"] as const;

/** Parts of stems, in the order in which they are listed. */
export const STEM_PARTS = [
  "drums",
  "bass",
  "guitars",
  "keys",
  "strings",
  "brass",
  "vocals",
  "backing",
  "effects",
  "other",
] as const;

/** The kinds in words, in the order in which a list offers them. */
export const KIND_NAMES: Readonly<Record<(typeof FAMILY_KINDS)[number], string>> = {
  main: "Main mix",
  instrumental: "Instrumental",
  acapella: "A cappella",
  clean: "Clean",
  tv: "TV mix",
  stem: "Stem",
  other: "Other",
};

/** The parts of stems in words. */
export const PART_NAMES: Readonly<Record<(typeof STEM_PARTS)[number], string>> = {
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

/** What a track is in a set. */
type PlaceInSet = {
  kind: keyof typeof KIND_NAMES;
  part: keyof typeof PART_NAMES | null;
  editSec: number | null;
};

/** What a member is, in words: `Main mix`, `Instrumental, 30 s`, `Stem: drums`. */
export function kindWords({ kind, part, editSec }: PlaceInSet): string {
  const words = part === null ? KIND_NAMES[kind] : `${KIND_NAMES[kind]}: ${PART_NAMES[part].toLowerCase()}`;
  return editSec === null ? words : `${words}, ${editSec} s`;
}
