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

/** The most tracks of one family, and the most stems among them. */
export const MAX_FAMILY_MEMBERS = 200;
export const MAX_STEMS = 64;

/** The length of an edit. */
export const MIN_EDIT_SEC = 5;
export const MAX_EDIT_SEC = 600;
