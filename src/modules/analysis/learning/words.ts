import type { TrackVerdict } from "./queries.ts";

/** What an owner did about a tag on a track. */
export type Word = {
  trackId: string;
  isPositive: boolean;
  /** How much it counts. */
  weight: number;
  /** False: nothing was said of the tag, but others of its category were written. */
  isSaid: boolean;
};

const WRITTEN = 1;
/** Somebody who takes all suggestions at once may not have listened. */
const APPLIED = 0.3;
/** Somebody who takes a tag away has. */
const REJECTED = 2;
/** A track whose category was written without the tag. One whose category was never written says nothing. */
const PASSED_OVER = 0.3;
const PASSED_OVER_MOST = 0.6;

/** The newest of each kind that are learnt from: more say little new and take longer. */
const MOST_OF_EACH = 100;

/** An account's verdicts on the tags of one category, by track; ids grow with time. */
export type Verdicts = ReadonlyMap<string, readonly TrackVerdict[]>;

/**
 * Returns what an account's verdicts say of one tag, in a fixed order: where it was written, where rejected, and
 * where it was passed over. Nothing when it was never written nor rejected.
 */
export function wordsOn(verdicts: Verdicts, tagId: string): Word[] {
  const said = [...verdicts.values()].flatMap((each) => each.filter((verdict) => verdict.tagId === tagId));
  if (said.length === 0) return [];
  const written = newest(said.filter(({ isWanted }) => isWanted)).map(
    ({ trackId, isApplied }): Word => ({
      trackId,
      isPositive: true,
      weight: isApplied ? APPLIED : WRITTEN,
      isSaid: true,
    }),
  );
  const rejected = newest(said.filter(({ isWanted }) => !isWanted)).map(
    ({ trackId }): Word => ({ trackId, isPositive: false, weight: REJECTED, isSaid: true }),
  );
  return [...written, ...rejected, ...passedOver(verdicts, tagId, written.length)];
}

/**
 * The tracks on which tags of the category were written, one by one, and nothing was said of this one. Those of each
 * other tag count together in proportion to this tag's own tracks, so that a tag that is written often does not drown
 * one that is written rarely.
 */
function passedOver(verdicts: Verdicts, tagId: string, positives: number): Word[] {
  const decided = [...verdicts].flatMap(([trackId, said]) => {
    const others = said.filter(({ isWanted, isApplied }) => isWanted && !isApplied);
    return others.length === 0 || said.some((each) => each.tagId === tagId) ? [] : [{ trackId, others }];
  });
  const used = newest(decided);
  const counts = new Map<string, number>();
  for (const { others } of used)
    for (const other of others) counts.set(other.tagId, (counts.get(other.tagId) ?? 0) + 1);
  return used.map(({ trackId, others }) => {
    const company = Math.max(...others.map((other) => counts.get(other.tagId) ?? 1));
    const weight = Math.min(PASSED_OVER_MOST, (PASSED_OVER * Math.max(1, positives)) / company);
    return { trackId, isPositive: false, weight, isSaid: false };
  });
}

const newest = <Item>(byTrackId: readonly Item[]): readonly Item[] => byTrackId.slice(-MOST_OF_EACH);
