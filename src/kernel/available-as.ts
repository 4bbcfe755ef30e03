/** What a song may be available as, beside its main mix, in the order in which it is said. */
export const AVAILABLE_AS = ["instrumental", "acapella", "clean", "tv", "stems"] as const;
export type AvailableAs = (typeof AVAILABLE_AS)[number];

/** What these are called in a sentence. */
export const AVAILABLE_NAMES: Readonly<Record<AvailableAs, string>> = {
  instrumental: "instrumental",
  acapella: "a cappella",
  clean: "clean version",
  tv: "TV mix",
  stems: "stems",
};

/** The lengths that edits have, in seconds. */
export const EDIT_SEC = { least: 5, most: 600 };
