import { type Db, transact } from "../../../../db/client.ts";
import type { Coarse } from "../../../audio/kinship/runs.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { tellMixFound } from "../../people/notifications/service.ts";
import { findSign } from "../families/service.ts";
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
import { findKinTrack, type KinTrack, kinTracksAmong, tracksPlaying } from "./queries.ts";
import { sumStems } from "./stems.ts";
import { type Compared, KINSHIP_RULES, type RelatePool, type SoundFile } from "./task.ts";

/** Pairs that are decoded for one track. */
const MAX_PAIRS = 24;
/** Shorter sounds are laid on nothing: a run of four seconds is the least that counts. */
const MIN_CODES = 40;
/** For tracks that only sound alike to be decoded: the shortest stretch, or the greater part of an edit. */
const MIN_ALIKE_SEC = 20;
const MIN_ALIKE_SHARE = 0.6;

/** Another track that may be of a track's song. `reading`: it is by its name. */
type Candidate = { track: KinTrack; reading: Reading; isNamed: boolean; coarse: Coarse | undefined };

/**
 * Returns the handler of `RELATE_JOB`: finds which other tracks are of a track's song, by name and by sound. What both say of a
 * track that is new is done; what one of them says is asked. Each pair is stored for itself, and is not compared again by the same
 * rules. Killed anywhere, it goes on where it was.
 *
 * @param startThread Called once per job that has something to compare; the thread ends with it.
 */
export function relateHandler(deps: RelateDeps, startThread: () => RelatePool): JobHandler {
  return async ({ trackId, isNew }, { signal, isLastAttempt }) => {
    const own = findKinTrack(deps.db, String(trackId));
    if (!own) return;
    try {
      await relateTrack(deps, own, { isNew: isNew === true, startThread, signal });
    } catch (error) {
      if (isLastAttempt && !signal.aborted && isNew === true) askAboutMixes(deps, own);
      throw error;
    }
    if (isNew === true) askAboutMixes(deps, own);
  };
}

type Relating = { isNew: boolean; startThread: () => RelatePool; signal: AbortSignal };

/** Compares a track with what may be of its song, one after the other. */
export async function relateTrack(
  deps: RelateDeps,
  track: KinTrack,
  { isNew, startThread, signal }: Relating,
): Promise<void> {
  const { ask, end } = createAsk(startThread, signal);
  try {
    const own = { track, reading: readTrack(deps.db, track) };
    const namesakes = listNamesakes(deps.db, track, own.reading);
    const candidates = await candidatesOf(deps.db, track, namesakes, ask);
    for (const candidate of candidates.slice(0, MAX_PAIRS)) {
      signal.throwIfAborted();
      await relatePair(deps, own, candidate, { isNew, ask, signal });
    }
    await sumStems(deps, { own, namesakes, isNew, ask, signal });
  } finally {
    end();
  }
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
    found.set(track.id, { track, reading, isNamed: true, coarse: alike.get(track.id) });
  const others = tracksIn(
    db,
    own,
    [...alike.keys()].filter((id) => !found.has(id)),
  );
  // The same recording once more is a duplicate, unless its name says that it is something else.
  const copies = new Set(listCopies(db, own.ownerId, own.id).map(({ id }) => id));
  for (const track of others) {
    const coarse = alike.get(track.id);
    if (coarse && isAlike(coarse) && !copies.has(track.id))
      found.set(track.id, { track, reading: readTrack(db, track), isNamed: false, coarse });
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
): Promise<Map<string, Coarse>> {
  const print = own.recordingId === null ? undefined : fingerprintOf(db, own.recordingId);
  if (!print || own.recordingId === null || print.codes.length < MIN_CODES) return new Map();
  const kindred = tracksPlaying(db, own.ownerId, kindredRecordings(db, own.ownerId, own.recordingId));
  const others = [
    ...new Map([...namesakes.map(({ track }) => track), ...kindred].map((each) => [each.id, each])).values(),
  ]
    .filter(({ id, recordingId }) => id !== own.id && recordingId !== own.recordingId)
    .flatMap((track) => {
      const other = track.recordingId === null ? undefined : fingerprintOf(db, track.recordingId);
      return other && other.codes.length >= MIN_CODES ? [{ track, print: other }] : [];
    });
  if (others.length === 0) return new Map();
  const laid = await ask<Coarse[]>({
    kind: "lay",
    own: print,
    others: others.map(({ print: each }) => each),
  });
  return new Map(
    others.flatMap(({ track }, index) => (laid[index] ? [[track.id, laid[index]] as const] : [])),
  );
}

/** Compares two tracks, and does or asks what follows. */
async function relatePair(
  deps: RelateDeps,
  own: Namesake,
  { track, reading, isNamed, coarse }: Candidate,
  { isNew, ask, signal }: { isNew: boolean; ask: Ask; signal: AbortSignal },
): Promise<void> {
  const { db, now } = deps;
  const compare = ([one, other]: readonly SoundFile[]) =>
    one && other && coarse
      ? ask<Compared>({ kind: "compare", one, other, runs: coarse.runs })
      : Promise.resolve(undefined);
  const compared = coarse && (await withFiles(deps, [own.track, track], compare, signal));
  const heard = compared && hear(compared);
  const evidence = { own, other: { track, reading }, isNamed, coarse, compared, heard };
  transact(db, (tx) => decidePair(tx, evidence, { isNew, at: now() }));
}

/** Asks the owner about what a new track sounds like a mix of. */
function askAboutMixes({ db, now }: RelateDeps, { ownerId, id }: KinTrack): void {
  transact(db, (tx) => {
    const at = now();
    for (const offer of offerMixes(tx, ownerId, id, at))
      tellMixFound(tx, { accountId: ownerId, ...offer, count: countMixOffers(tx, ownerId) }, at);
  });
}
