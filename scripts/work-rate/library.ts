import { Database } from "bun:sqlite";
import { join } from "node:path";

/** What analyses have written into a library, read beside its server. */
export function watchLibrary(dataDir: string) {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  db.run("PRAGMA busy_timeout = 10000");
  const numberOf = (sql: string) => db.query<{ n: number }, []>(sql).get()?.n ?? 0;
  const rows = (sql: string) => JSON.stringify(db.query(sql).values());
  return {
    /** Analyses that are waiting or under way. */
    left: () => numberOf("SELECT count(*) AS n FROM jobs WHERE name = 'analyze'"),
    /** Analyses that were ever completed. */
    completed: () =>
      numberOf("SELECT count(*) AS n FROM events WHERE type = 'track.audio_profile_completed'"),
    trackIds: () =>
      db
        .query<{ id: string }, []>("SELECT id FROM tracks ORDER BY id")
        .all()
        .map(({ id }) => id),
    /** Everything that an analysis measures, as text; without times. */
    values: (): Record<string, string> => ({
      analyses: rows(
        `SELECT version_id, duration_sec, bpm, bpm_confidence, bpm_candidates, key, key_confidence, tuning_cents,
           integrated_lufs, range_lu, true_peak_dbtp, sample_peak_dbfs, features, embedded, hex(waveform), truncated
         FROM analyses ORDER BY version_id`,
      ),
      vectors: rows(
        "SELECT track_id, provider, version, hex(embedding) FROM track_vectors ORDER BY track_id, provider",
      ),
      recordings: rows(
        `SELECT v.version_id, hex(r.pcm_sha256), hex(r.codes), hex(r.columns), hex(r.levels), r.balance, hex(r.peaks)
         FROM version_recordings v JOIN recordings r ON r.id = v.recording_id ORDER BY v.version_id`,
      ),
      tracks: rows("SELECT id, bpm, key, duration_sec, cid, analysis_status FROM tracks ORDER BY id"),
    }),
    close: () => db.close(),
  };
}

export type WatchedLibrary = ReturnType<typeof watchLibrary>;
