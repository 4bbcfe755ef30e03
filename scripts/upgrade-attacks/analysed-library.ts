import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../db/migrations.ts";
import { loadVectors } from "../../db/vectors.ts";
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { OLD_SCHEMA } from "./old-library.ts";

export const ANALYSED_EMAIL = "me@example.com";

/** What the measurements of a quiet piece are about. */
const FEATURES: Readonly<Record<string, number>> = {
  energy: 0.29,
  brightness: 0.23,
  percussiveness: 0.1,
  onsetRatePerSec: 2.5,
  lowOnsetRatePerSec: 1.5,
  highOnsetRatePerSec: 1.4,
  onsetStrength: 0.03,
  pulseClarity: 0.4,
  spectralFlatness: 0.01,
  centroidHz: 1440,
  rolloffHz: 4452,
  zeroCrossingHz: 1439,
  dynamicRangeDb: 3.1,
  crestDb: 9.4,
  loudnessRangeLu: 5,
  stereoWidth: 0.3,
  silentShare: 0,
  chromaEntropy: 0.4,
  bassEntropy: 0.8,
  scaleFit: 0.69,
  minorLead: 0.08,
  bassShare: 0.2,
  trebleShare: 0.1,
};

/** Makes a library of analysed tracks, "Song 1" and so on, as the version of a schema left it: rows only, no audio. */
export function makeAnalysedLibrary(dataDir: string, tracks: number, schema: number): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new Database(join(dataDir, "dubplate.db"), { strict: true });
  db.run("PRAGMA journal_mode = WAL");
  loadVectors(db);
  migrate(db, Math.min(schema, OLD_SCHEMA));
  db.transaction(() => fill(db, tracks))();
  migrate(db, schema);
  db.close();
  writeFileSync(join(dataDir, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });
}

function fill(db: Database, tracks: number): void {
  const random = randomFrom("analysed library");
  db.query(
    "INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', ?, 'Me', '', 1)",
  ).run(ANALYSED_EMAIL);
  const addTrack = db.query(
    `INSERT INTO tracks (id, owner_id, name, name_fold, created_at, active_version_id, analysis_status, analysis_version_id,
       title, title_fold, artist, bpm, key, duration_sec, cid)
     VALUES ($id, 'usr_1', $name, lower($name), $at, $version, 'completed', $version, $name, lower($name), 'Mara', $bpm,
       'A minor', 60, '')`,
  );
  const addVersion = db.query(
    `INSERT INTO versions (id, track_id, version_order, name, visible, sha256, size_bytes, media_type, container, created_at)
     VALUES ($version, $id, 1, $name, 1, $sha256, 1000, 'audio/wav', 'wav', $at)`,
  );
  const addAnalysis = db.query(
    `INSERT INTO analyses (version_id, track_id, analyzer_version, analysed_at, duration_sec, sample_rate_hz, channels,
       integrated_lufs, bpm, bpm_confidence, bpm_candidates, key, key_confidence, features, embedded, waveform)
     VALUES ($version, $id, '3', 1, 60, 44100, 2, -14, $bpm, 0.9, $candidates, 'A minor', 0.8, $features, '{}', zeroblob(2000))`,
  );
  const addVector = db.query(
    "INSERT INTO track_vectors (track_id, provider, version, dimensions, embedding) VALUES ($id, 'descriptors', $version, $size, $embedding)",
  );
  for (let n = 1; n <= tracks; n++) {
    const [id, version, name, bpm] = [`trk_${n}`, `ver_${n}`, `Song ${n}`, 80 + (n % 200) / 2];
    addTrack.run({ id, version, name, at: n, bpm });
    addVersion.run({ id, version, name, at: n, sha256: n.toString(16).padStart(64, "0") });
    const candidates = JSON.stringify([{ bpm, confidence: 0.9 }]);
    addAnalysis.run({ id, version, bpm, candidates, features: JSON.stringify(featuresOf(random)) });
    const embedding = descriptorsOf(random);
    addVector.run({ id, version: DESCRIPTOR_VERSION, size: DESCRIPTOR_DIMENSIONS, embedding });
  }
}

const featuresOf = (random: Random) =>
  Object.fromEntries(Object.entries(FEATURES).map(([name, value]) => [name, value * (0.3 + 1.4 * random())]));

function descriptorsOf(random: Random): Uint8Array {
  const numbers = Float32Array.from({ length: DESCRIPTOR_DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return new Uint8Array(numbers.map((each) => each / length).buffer);
}
