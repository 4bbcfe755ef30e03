import { type Db, prepared, transact } from "../../../../db/client.ts";
import type { StemPart } from "../../../../db/schema.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { type FoundSum, isStem, storeSum, sumKey } from "../families/service.ts";
import { createAsk, type RelateDeps, withFiles } from "./ask.ts";
import { findKinTrack, type KinTrack } from "./queries.ts";
import type { RelatePool, Summed } from "./task.ts";

/** So likely has to be a voice in what is left for it to be the voices that are missing. */
const MIN_VOICE = 0.9;
/** Nothing is left at all. */
const LEAST_DB = -120;

/**
 * Returns the handler of `SUM_STEMS_JOB`: takes the stems of a family from its main mix and stores what is left, and what is missing
 * most. Does nothing while one of them is not analysed; its analysis asks again. Killed anywhere, it is done once more.
 */
export function sumStemsHandler(deps: RelateDeps, pool: RelatePool): JobHandler {
  return async ({ familyId }, { signal }) => {
    const set = setOf(deps.db, String(familyId));
    if (!set || set.key === set.known) return;
    const ask = createAsk(pool, signal);
    const files = [set.mix, ...set.stems.map(({ track }) => track)];
    const summed = await withFiles(
      deps,
      files,
      ([mix, ...stems]) =>
        mix ? ask<Summed>({ kind: "sum", mix, stems, saysMissing: true }) : Promise.resolve(undefined),
      signal,
    );
    if (!summed) return;
    const found = foundIn(summed, new Set(set.stems.map(({ part }) => part)));
    transact(deps.db, (tx) => {
      if (setOf(tx, String(familyId))?.key === set.key) storeSum(tx, String(familyId), set.key, found);
    });
  };
}

type Member = {
  trackId: string;
  kind: "stem";
  editSec: number | null;
  part: StemPart | null;
  versionId: string;
  mainTrackId: string;
  known: string | null;
};

const membersOf = prepared((db: Db) =>
  db.$client.prepare<Member, [string]>(
    `SELECT m.track_id AS trackId, m.kind, m.edit_sec AS editSec, m.part, t.active_version_id AS versionId,
       f.main_track_id AS mainTrackId, f.stems_of AS known
     FROM families f JOIN family_members m ON m.family_id = f.id JOIN tracks t ON t.id = m.track_id
     WHERE f.id = ?1 AND t.deleted_at IS NULL AND t.in_inbox = 0`,
  ),
);

type StemSet = {
  mix: KinTrack;
  stems: { track: KinTrack; part: StemPart | null }[];
  key: string;
  known: string | null;
};

/** Returns the main mix and the stems of a family; undefined without, or while one of them is not analysed. */
function setOf(db: Db, familyId: string): StemSet | undefined {
  const members = membersOf(db).all(familyId);
  const main = members.find(({ trackId, mainTrackId }) => trackId === mainTrackId);
  const mix = main && findKinTrack(db, main.trackId);
  const own = members.filter((member) => member !== main && isStem(member));
  const stems = own.flatMap(({ trackId, part }) => {
    const track = findKinTrack(db, trackId);
    return track ? [{ track, part }] : [];
  });
  if (!mix || stems.length === 0 || stems.length < own.length) return undefined;
  return {
    mix,
    stems,
    key: sumKey(
      main.versionId,
      own.map(({ versionId }) => versionId),
    ),
    known: main.known,
  };
}

function foundIn(
  { isPlaced, residualDb, missing, residualVoice }: Summed,
  parts: ReadonlySet<StemPart | null>,
): FoundSum {
  if (!isPlaced) return null;
  return {
    residualDb: Math.max(LEAST_DB, residualDb),
    missing: missing && { ...missing, part: missingPart(missing, residualVoice, parts) },
  };
}

/** Returns which part is missing, where only one that is not there sounds so: a voice, the low end, or the highest. */
function missingPart(
  { fromHz, toHz }: NonNullable<Summed["missing"]>,
  voice: number | null,
  parts: ReadonlySet<StemPart | null>,
): StemPart | null {
  const isThere = (part: StemPart) => parts.has(part);
  if (voice !== null && voice >= MIN_VOICE) return isThere("vocals") ? null : "vocals";
  const lows = (["drums", "bass"] as const).filter((part) => !isThere(part));
  if (fromHz === null) return lows.length === 1 ? (lows[0] ?? null) : null;
  return toHz === null && !isThere("drums") ? "drums" : null;
}
