import { and, eq, ne } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { readinessResults } from "../../../../db/schema.ts";
import type { SoundFaults } from "../../../audio/analyzer.ts";
import { FAULTS_VERSION } from "../../../audio/faults/version.ts";

/** What was found in the sound of a version. */
export type MeasuredFaults = SoundFaults & { truePeakAtSec: number };

/** Stores what was found in the sound of a version in place of what an earlier program found. */
export function putFaults(tx: Db, versionId: string, measured: MeasuredFaults, at: number): void {
  const row = { measured: { ...measured }, at };
  tx.insert(readinessResults)
    .values({ versionId, rules: FAULTS_VERSION, ...row })
    .onConflictDoUpdate({ target: [readinessResults.versionId, readinessResults.rules], set: row })
    .run();
  tx.delete(readinessResults)
    .where(and(eq(readinessResults.versionId, versionId), ne(readinessResults.rules, FAULTS_VERSION)))
    .run();
}
