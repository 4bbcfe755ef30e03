/** Tracks of the library that a brief names, or an artist's. */
export type Seed = {
  kind: "track" | "artist";
  /** As the library spells it. */
  name: string;
  /** The numbers of the tracks. */
  trackSeqs: readonly number[];
};
/** Returns what each phrase names in the library as a whole; phrases that name nothing are left out. */
export type FindNamed = (phrases: readonly string[]) => ReadonlyMap<string, readonly Seed[]>;

/**
 * Returns which name of the library begins a text, perhaps with slips, where the name ends, and the words of the text that are
 * not quite its words.
 */
export type FindNear = (text: string) => { seed: Seed; end: number; slips: readonly string[] } | undefined;
