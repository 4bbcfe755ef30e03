import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { requestVersionAnalysis, versionAnalysisOf } from "../analysis/service.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { findSound, peaksFile } from "../recordings/service.ts";
import { findMeasured, type Measured } from "./queries.ts";
import { getVersionOf } from "./service.ts";

/** A waveform at every zoom level, see `peaksFile`; `etag` is strong and includes its quotes. */
export type WaveformFile = { bytes: Uint8Array<ArrayBuffer>; etag: string };

type SoundDeps = Pick<Deps, "db" | "now">;

/**
 * Returns the waveform of a version of an account's track. A version that was never analysed is, from now on.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `version_not_analysed`.
 */
export function getWaveform(
  deps: SoundDeps,
  { ownerId, trackId, versionId }: { ownerId: LibraryId; trackId: string; versionId: string },
): WaveformFile {
  const { db } = deps;
  getOwnedTrack(db, ownerId, trackId);
  getVersionOf(db, trackId, versionId);
  const measured = findMeasured(db, versionId);
  const sound = findSound(db, versionId);
  if (!measured || !sound) throw notAnalysed(deps, versionId);
  const { sampleRateHz, durationSec } = measured;
  const frames = Math.round(durationSec * sampleRateHz);
  const bytes = peaksFile({ ...sound, sampleRateHz, frames });
  return { bytes, etag: `"${Bun.hash(bytes).toString(36)}"` };
}

/**
 * Returns the measurements of versions; the caller must have access. Those that were never analysed are, from now on.
 *
 * @throws DomainError `version_not_analysed`.
 */
export function getMeasured<Ids extends readonly string[]>(
  deps: SoundDeps,
  ...versionIds: Ids
): { [index in keyof Ids]: Measured } {
  const rows = versionIds.map((id) => findMeasured(deps.db, id));
  const refusals = versionIds.filter((_, index) => !rows[index]).map((id) => notAnalysed(deps, id));
  if (refusals[0]) throw refusals[0];
  // Every one is there, in the order of the ids.
  return rows as { [index in keyof Ids]: Measured };
}

/** Has a version analysed, and returns the refusal until it is. */
function notAnalysed(deps: SoundDeps, versionId: string): DomainError {
  requestVersionAnalysis(deps, versionId);
  const isPending = versionAnalysisOf(deps.db, versionId) === "pending";
  return new DomainError(
    "version_not_analysed",
    isPending
      ? `Version ${versionId} is being analysed: ask again in a moment`
      : `Version ${versionId} could not be analysed. Export its file again and add it as a new version`,
  );
}
