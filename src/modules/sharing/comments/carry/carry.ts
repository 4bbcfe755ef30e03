import { type Db, transact } from "../../../../../db/client.ts";
import type { Sound } from "../../../../audio/fingerprint/sections.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { type AlignPool, requestVersionAnalysis } from "../../../library/analysis/service.ts";
import { lackingLyrics, lyricsToCarry, placeLyrics } from "../../../library/lyrics/service.ts";
import { findSound } from "../../../library/recordings/service.ts";
import { type Alignment, placeNote } from "./place.ts";
import * as queries from "./queries.ts";

type CarryDeps = Pick<Deps, "db" | "now">;

/**
 * Returns the handler of {@link CARRY_JOB}: finds the place in a version of every note heard in another, and the places in the
 * others of the notes heard in it. Each note is carried from the version that was heard, and what was placed by hand stays. So are
 * the times of words, into the versions of the track that have none of their own. Running it again changes nothing.
 *
 * @param startThreads Called once per job; the threads end with it.
 */
export function carryHandler(deps: CarryDeps, startThreads: () => AlignPool): JobHandler {
  return async ({ versionId, isMissing }, { signal }) => {
    const version = queries.findCarried(deps.db, String(versionId));
    if (!version) return;
    const pool = startThreads();
    const align: Align = (from, into) => alignVersions(deps, pool, { from, into, signal });
    try {
      if (queries.isReady(deps.db, version.id)) await carryInto(deps.db, version, isMissing === true, align);
      await carryFrom(deps.db, version, isMissing === true, align);
      await carryLyrics(deps.db, version, align);
    } finally {
      pool.close();
    }
  };
}

type Version = queries.CarriedVersion;
type Align = (from: Version, into: Version) => Promise<Alignment>;

async function carryInto(db: Db, version: Version, isMissing: boolean, align: Align): Promise<void> {
  const into = { trackId: version.trackId, versionId: version.id, isMissing };
  const alignments = new Map<string | null, Alignment>();
  for (const id of queries.listHeard(db, into)) {
    const heard = id === null ? undefined : queries.findCarried(db, id);
    alignments.set(id, heard && (await align(heard, version)));
  }
  transact(db, (tx) => place(tx, version, isMissing, alignments));
}

async function carryFrom(db: Db, version: Version, isMissing: boolean, align: Align): Promise<void> {
  for (const other of queries.listReadyOthers(db, version)) {
    const into = { trackId: version.trackId, versionId: other.id, isMissing };
    if (!queries.listHeard(db, into).includes(version.id)) continue;
    const alignment = await align(version, other);
    transact(db, (tx) => place(tx, other, isMissing, new Map([[version.id, alignment]])));
  }
}

/** Writes where the notes heard in some versions are in another one, where that has changed. */
function place(
  tx: Db,
  version: Version,
  isMissing: boolean,
  alignments: ReadonlyMap<string | null, Alignment>,
): void {
  const into = { trackId: version.trackId, versionId: version.id, isMissing };
  for (const note of queries.listNotes(tx, into, [...alignments.keys()])) {
    // Nothing is known any more of a version that is gone: what was found then stays.
    if (note.how === "placed" || (note.heardId === null && note.how !== null)) continue;
    const found = placeNote(note, alignments.get(note.heardId), version.lengthSec);
    const placed = note.isRough && found.how === "carried" ? { ...found, how: "about" as const } : found;
    const isKnown =
      note.how === placed.how && note.atSec === placed.atSec && note.placedEndSec === placed.endSec;
    if (!isKnown) queries.putPlace(tx, note.id, version.id, placed);
  }
}

async function carryLyrics(db: Db, { trackId }: Version, align: Align): Promise<void> {
  const carried = lyricsToCarry(db, trackId);
  const from = carried && queries.findCarried(db, carried.fromId);
  if (!carried || !from) return;
  for (const id of lackingLyrics(db, trackId, carried)) {
    const into = queries.findCarried(db, id);
    if (!into || !queries.isReady(db, id)) continue;
    const alignment = await align(from, into);
    const placeOf = (atSec: number) => {
      const { atSec: found, how } = placeNote(
        { positionSec: atSec, endSec: null },
        alignment,
        into.lengthSec,
      );
      return how === "gone" || found === null ? undefined : found;
    };
    // Versions that cannot be compared have nothing to do with each other's times.
    if (alignment !== undefined) transact(db, (tx) => placeLyrics(tx, id, carried, placeOf));
  }
}

type Pair = { from: Version; into: Version; signal: AbortSignal };

/** Finds which part of a version is where in another. Has those analysed that never were: then they are carried anew. */
async function alignVersions(
  deps: CarryDeps,
  pool: AlignPool,
  { from, into, signal }: Pair,
): Promise<Alignment> {
  signal.throwIfAborted();
  if (from.recordingId !== null && from.recordingId === into.recordingId) {
    await Bun.sleep(0); // requests come between two versions
    return "same";
  }
  const sounds = [soundOf(deps, from), soundOf(deps, into)] as const;
  const [one, other] = sounds;
  if (!one || !other) return undefined;
  return (await pool.run([one, other], signal)) ?? undefined;
}

function soundOf(deps: CarryDeps, { id }: Version): Sound | undefined {
  const found = findSound(deps.db, id);
  if (!found) requestVersionAnalysis(deps, id);
  return found && { fingerprint: found.fingerprint, levels: Bun.inflateSync(Uint8Array.from(found.levels)) };
}
