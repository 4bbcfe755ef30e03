import type { TrackVerdict } from "./queries.ts";

/** What an owner's actions say about a tag on a track. */
export type Word = {
  trackId: string;
  isPositive: boolean;
  /** How much it counts. */
  weight: number;
  /** False: there is no verdict on this tag, but others of its category were written. */
  isSaid: boolean;
};

const WRITTEN = 1;
/** Weight of a tag accepted with all suggestions at once: the owner may not have listened. */
const APPLIED = 0.3;
/** Weight of a rejected tag: an owner who removes a tag has listened. */
const REJECTED = 2;
/** Weight of a track whose category was written without the tag. An unwritten category says nothing. */
const PASSED_OVER = 0.3;
const PASSED_OVER_MOST = 0.6;

/** Only the newest of each kind are learnt from: more add little and take longer. */
const MOST_OF_EACH = 100;

/** An account's verdicts on the tags of one category, by track; ids grow with time. */
export type Verdicts = ReadonlyMap<string, readonly TrackVerdict[]>;

/**
 * Returns what an account's verdicts say about one tag, in a fixed order: where it was written, where it was rejected,
 * and where it was passed over. Empty when it was never written or rejected.
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
 * Returns the tracks on which tags of the category were written one by one, but this tag was not. The tracks of each
 * other tag share a weight proportional to the number of this tag's own tracks, so a frequent tag does not drown out
 * a rare one.
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
