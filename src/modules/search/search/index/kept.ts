import type { OwnArtist } from "../artists.ts";
import type { CalledRow } from "../queries.ts";
import type { Target } from "../signals/sound.ts";
import type { FactRecord } from "./load.ts";
import type { Shard } from "./shard.ts";

/** What has been read about a library's names and seeds, which is the same until the library changes. */
export type Kept = {
  /** By folded names; undefined where no artist has the name. */
  artists: Map<string, OwnArtist | undefined>;
  /** By the numbers of tracks. */
  seeds: Map<string, SeedRows>;
  sounds: Map<string, readonly Target[]>;
};

/** What is said of the tracks that a search starts from. */
export type SeedRows = { records: readonly FactRecord[]; rows: readonly CalledRow[] };

const every = new WeakMap<Shard, { stamp: string; kept: Kept }>();

/** Returns what is kept of a library as it is now; `waiting` are the slots in its Inbox, whose moves are not in the feed. */
export function keptOf(shard: Shard, waiting: ReadonlySet<number>): Kept {
  const stamp = [shard.revision, ...waiting].join(" ");
  const known = every.get(shard);
  if (known?.stamp === stamp) return known.kept;
  const kept: Kept = { artists: new Map(), seeds: new Map(), sounds: new Map() };
  every.set(shard, { stamp, kept });
  return kept;
}
