import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { analyses, tracks } from "../../../../db/schema.ts";
import { tempoAndKey } from "./profile.ts";

/** Returns the tempo and key that a track shows unless its owner wrote others; null if nothing was measured. */
export function findMeasuredTempoAndKey(db: Db, trackId: string): { bpm: number | null; key: string | null } {
  const row = db
    .select({
      bpm: analyses.bpm,
      candidates: analyses.bpmCandidates,
      key: analyses.key,
      embedded: analyses.embedded,
    })
    .from(tracks)
    .innerJoin(analyses, eq(analyses.versionId, tracks.analysisVersionId))
    .where(eq(tracks.id, trackId))
    .get();
  if (!row) return { bpm: null, key: null };
  const { bpm, candidates, key, embedded } = row;
  // Written by the analysis, which checked each tag.
  const tags = embedded as { bpm?: number; key?: string };
  return tempoAndKey({ tempo: { bpm, candidates }, key: { name: key } }, tags);
}
