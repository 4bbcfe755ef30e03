import { type Db, transact } from "../../../../db/client.ts";
import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";
import type { Coarse } from "../../../audio/kinship/runs.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { tellMixFound } from "../../people/notifications/service.ts";
import { findSign, requestSum } from "../families/service.ts";
import {
  countMixOffers,
  fingerprintOf,
  kindredRecordings,
  listCopies,
  offerMixes,
} from "../recordings/service.ts";
import { type Ask, createAsk, type RelateDeps, withFiles } from "./ask.ts";
import { decidePair } from "./decide.ts";
import { hear } from "./judge.ts";
import { listNamesakes, type Namesake, type Reading, readTrack } from "./names.ts";
import {
  findCompared,
  findKinTrack,
  type KinTrack,
  kinTracksAmong,
  putCompared,
  tracksPlaying,
} from "./queries.ts";
import { sumStems } from "./stems.ts";
import { type Compared, KINSHIP_RULES, type Prints, type RelatePool } from "./task.ts";

/** Pairs that are decoded for one track. */
const MAX_PAIRS = 24;
/** Shorter sounds are laid on nothing: a run of four seconds is the least that counts. */
const MIN_CODES = 40;
/** For tracks that only sound alike to be decoded: the shortest stretch, or the greater part of an edit. */
const MIN_ALIKE_SEC = 20;
const MIN_ALIKE_SHARE = 0.6;

/** How the recordings of two tracks lie on each other by their fingerprints. */
type Lie = { coarse: Coarse; shortId: number; longId: number; isOwnShort: boolean };

/** Another track that may be of a track's song. `isNamed`: it is by its name. */
type Candidate = { track: KinTrack; reading: Reading; isNamed: boolean; lie: Lie | undefined };

/**
 * Returns the handler of `RELATE_JOB`: finds which other tracks are of a track's song, by name and by sound. What both say of a
 * track that is new is done; what one of them says is asked. Each pair is stored for itself, and the recordings are not compared again
 * by the same rules. Killed anywhere, it goes on where it was.
 */
export function relateHandler(deps: RelateDeps, pool: RelatePool): JobHandler {
  return async ({ trackId, isNew }, { signal, isLastAttempt }) => {
    const own = findKinTrack(deps.db, String(trackId));
    if (!own) return;
    try {
      await relateTrack(deps, own, { isNew: isNew === true, pool, signal });
    } catch (error) {
      if (isLastAttempt && !signal.aborted && isNew === true) askAboutMixes(deps, own);
      throw error;
    }
    transact(deps.db, (tx) => {
      const { familyId } = findKinTrack(tx, own.id) ?? own;
      if (familyId !== null) requestSum(tx, familyId, deps.now());
    });
    if (isNew === true) askAboutMixes(deps, own);
  };
}

type Relating = { isNew: boolean; pool: RelatePool; signal: AbortSignal };

/** Compares a track with what may be of its song, one after the other. */
export async function relateTrack(
  deps: RelateDeps,
  track: KinTrack,
  { isNew, pool, signal }: Relating,
): Promise<void> {
  const ask = createAsk(pool, signal);
  const own = { track, reading: readTrack(deps.db, track) };
  const namesakes = listNamesakes(deps.db, track, own.reading);
  const candidates = await candidatesOf(deps.db, track, namesakes, ask);
  for (const candidate of candidates.slice(0, MAX_PAIRS)) {
    signal.throwIfAborted();
    await relatePair(deps, own, candidate, { isNew, ask, signal });
  }
  await sumStems(deps, { own, namesakes, isNew, ask, signal });
}

/** Returns the tracks to compare: those of the same name first, then those that sound alike. Members of a family stand behind their main mix. */
async function candidatesOf(
  db: Db,
  own: KinTrack,
  namesakes: readonly Namesake[],
  ask: Ask,
): Promise<Candidate[]> {
  const alike = await alikeOf(db, own, namesakes, ask);
  const found = new Map<string, Candidate>();
  for (const { track, reading } of namesakes)
    found.set(track.id, { track, reading, isNamed: true, lie: alike.get(track.id) });
  const others = tracksIn(
    db,
    own,
    [...alike.keys()].filter((id) => !found.has(id)),
  );
  // The same recording once more is a duplicate, unless its name says that it is something else.
  const copies = new Set(listCopies(db, own.ownerId, own.id).map(({ id }) => id));
  for (const track of others) {
    const lie = alike.get(track.id);
    if (lie && isAlike(lie.coarse) && !copies.has(track.id))
      found.set(track.id, { track, reading: readTrack(db, track), isNamed: false, lie });
  }
  return [...found.values()].filter(({ track }) => isOpenTo(db, own, track));
}

const tracksIn = (db: Db, { ownerId }: KinTrack, ids: readonly string[]) => kinTracksAmong(db, ownerId, ids);

/** True for two tracks of which one may join the other, and that were not compared by these rules yet. */
function isOpenTo(db: Db, own: KinTrack, other: KinTrack): boolean {
  if (own.familyId !== null && other.familyId !== null) return false;
  // A member of a set is represented by its main mix.
  const isHidden = (track: KinTrack) => track.familyId !== null && track.mainTrackId !== track.id;
  if (isHidden(own) || isHidden(other)) return false;
  const known = findSign(db, own.id, other.id);
  return known === undefined || (known.state === "open" && known.rules !== KINSHIP_RULES);
}

const isAlike = ({ share, runs }: Coarse) =>
  share >= MIN_ALIKE_SHARE ||
  runs.reduce((sum, { fromSec, toSec }) => sum + toSec - fromSec, 0) >= MIN_ALIKE_SEC;

/** Lays the fingerprint of a track on those that may have something of it. Returns how they lie, by the ids of their tracks. */
async function alikeOf(
  db: Db,
  own: KinTrack,
  namesakes: readonly Namesake[],
  ask: Ask,
): Promise<Map<string, Lie>> {
  const ownSound = soundOf(db, own);
  if (!ownSound || own.recordingId === null) return new Map();
  const kindred = tracksPlaying(db, own.ownerId, kindredRecordings(db, own.ownerId, own.recordingId));
  const others = [
    ...new Map([...namesakes.map(({ track }) => track), ...kindred].map((each) => [each.id, each])).values(),
  ]
    .filter(({ id, recordingId }) => id !== own.id && recordingId !== own.recordingId)
    .flatMap((track) => {
      const sound = soundOf(db, track);
      return sound ? [{ track, ...inOrder(ownSound, sound) }] : [];
    });
  if (others.length === 0) return new Map();
  const laid = await ask<Coarse[]>({ kind: "lay", pairs: others.map(({ prints }) => prints) });
  return new Map(
    others.flatMap(({ track, prints: _, ...pair }, index) => {
      const coarse = laid[index];
      return coarse ? [[track.id, { ...pair, coarse }] as const] : [];
    }),
  );
}

type Sound = { id: number; print: Fingerprint };

/** Returns what a track plays; undefined when that is unknown, or too short. */
function soundOf(db: Db, { recordingId: id }: KinTrack): Sound | undefined {
  const print = id === null ? undefined : fingerprintOf(db, id);
  return id !== null && print && print.codes.length >= MIN_CODES ? { id, print } : undefined;
}

/** Two sounds are always compared in the same order, whichever track is asked about: the shorter in the longer, else the earlier in the later. */
function inOrder(own: Sound, other: Sound): Omit<Lie, "coarse"> & { prints: Prints } {
  const longer = own.print.codes.length - other.print.codes.length;
  const isOwnShort = longer === 0 ? own.id < other.id : longer < 0;
  const [short, long] = isOwnShort ? [own, other] : [other, own];
  return {
    shortId: short.id,
    longId: long.id,
    isOwnShort,
    prints: { short: short.print, long: long.print },
  };
}

/** Compares two tracks, and does or asks what follows. */
async function relatePair(
  deps: RelateDeps,
  own: Namesake,
  { track, reading, isNamed, lie }: Candidate,
  { isNew, ask, signal }: { isNew: boolean; ask: Ask; signal: AbortSignal },
): Promise<void> {
  const { db, now } = deps;
  const compared = lie && (await compareOnce(deps, { own: own.track, other: track, lie }, ask, signal));
  const evidence = {
    ...{ own, other: { track, reading }, isNamed, compared },
    coarse: lie?.coarse,
    isOwnShort: lie?.isOwnShort ?? false,
    heard: compared && lie && hear(compared, lie.isOwnShort),
  };
  transact(db, (tx) => decidePair(tx, evidence, { isNew, at: now() }));
}

/** Returns how the sounds of two tracks compare, which is remembered; undefined when they cannot be decoded. */
async function compareOnce(
  deps: RelateDeps,
  { own, other, lie }: { own: KinTrack; other: KinTrack; lie: Lie },
  ask: Ask,
  signal: AbortSignal,
): Promise<Compared | undefined> {
  const { coarse, shortId, longId, isOwnShort } = lie;
  const known = findCompared(deps.db, shortId, longId, KINSHIP_RULES);
  if (known) return known;
  const compared = await withFiles<Compared | undefined>(
    deps,
    isOwnShort ? [own, other] : [other, own],
    async ([short, long]) => short && long && ask({ kind: "compare", short, long, runs: coarse.runs }),
    signal,
  );
  if (compared) putCompared(deps.db, { shortId, longId, rules: KINSHIP_RULES, compared });
  return compared;
}

/** Asks the owner about what a new track sounds like a mix of. */
function askAboutMixes({ db, now }: RelateDeps, { ownerId, id }: KinTrack): void {
  transact(db, (tx) => {
    const at = now();
    for (const offer of offerMixes(tx, ownerId, id, at))
      tellMixFound(tx, { accountId: ownerId, ...offer, count: countMixOffers(tx, ownerId) }, at);
  });
}
