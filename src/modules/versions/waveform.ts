import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { findSound, peaksFile } from "../recordings/service.ts";
import { findMeasured, type Measured } from "./queries.ts";
import { getVersionOf } from "./service.ts";

/** A waveform at every zoom level, see `peaksFile`; `etag` is strong and includes its quotes. */
export type WaveformFile = { bytes: Uint8Array<ArrayBuffer>; etag: string };

/**
 * Returns the waveform of a version of an account's track.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `version_not_analysed`.
 */
export function getWaveform(
  { db }: Pick<Deps, "db">,
  { ownerId, trackId, versionId }: { ownerId: string; trackId: string; versionId: string },
): WaveformFile {
  getOwnedTrack(db, ownerId, trackId);
  getVersionOf(db, trackId, versionId);
  const measured = findMeasured(db, versionId);
  const sound = findSound(db, versionId);
  if (!measured || !sound) throw notAnalysed(versionId);
  const { sampleRateHz, durationSec } = measured;
  const frames = Math.round(durationSec * sampleRateHz);
  const bytes = peaksFile({ ...sound, sampleRateHz, frames });
  return { bytes, etag: `"${Bun.hash(bytes).toString(36)}"` };
}

/** Returns a version's measurements; the caller must have access. @throws DomainError `version_not_analysed`. */
export function getMeasured(db: Deps["db"], versionId: string): Measured {
  const row = findMeasured(db, versionId);
  if (row) return row;
  throw notAnalysed(versionId);
}

function notAnalysed(versionId: string): DomainError {
  return new DomainError(
    "version_not_analysed",
    `Version ${versionId} has not been analysed. Make it the active version and call POST /tracks/auto-tag`,
  );
}
