/** The metres that are told apart. 2/4 and 2/2 count as 4/4, 9/8 as 3/4, 12/8 as 6/8. */
export const METRES = ["4/4", "3/4", "6/8", "5/4", "7/8"] as const;
export type MetreName = (typeof METRES)[number];

/** What a section seems to be, by its level and how often it comes back. */
export type SectionKind = "intro" | "verse-like" | "chorus-like" | "break" | "end" | "other";
