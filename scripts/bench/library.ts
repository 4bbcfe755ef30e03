import { Database } from "bun:sqlite";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { analyses, tracks, versions as versionRows } from "../../db/schema.ts";
import { TAXONOMY } from "../../db/taxonomy.ts";
import { readSettings } from "../../src/config.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { newId } from "../../src/kernel/ids.ts";
import { fold } from "../../src/kernel/text.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { openLibrary } from "../../src/library.ts";
import { writeTags } from "../../src/modules/library/tags/service.ts";
import { createAccount } from "../../src/modules/people/accounts/service.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";

/** An account of a library, with a key that has every scope. */
export type Owner = { accountId: string; key: string };

const POLL_MS = 20;
const KEYS = ["A minor", "C major", "F# minor", "E♭ major", "G major"];

/** A format that is played as it is, so the server makes no renditions from the missing files. */
const VERSION = {
  versionOrder: 0,
  visible: true,
  sizeBytes: 2_000_000,
  mediaType: "audio/mpeg",
  container: "mp3",
};
const MEASURED = {
  analyzerVersion: "bench",
  sampleRateHz: 44_100,
  channels: 2,
  codec: "mp3",
  lossless: false,
  bitDepth: null,
  bitrateBps: 128_000,
  integratedLufs: -9.5,
  rangeLu: 5.1,
  momentaryMaxLufs: -6.2,
  shortTermMaxLufs: -7.4,
  truePeakDbtp: -0.3,
  samplePeakDbfs: -0.5,
  bpmConfidence: 0.9,
  bpmCandidates: [{ bpm: 120, confidence: 0.9 }],
  keyConfidence: 0.8,
  tuningCents: 3,
  features: {},
  embedded: {},
  waveform: Buffer.alloc(2000),
};

/** Opens the library of a data folder in this process; close it before a server is measured. */
export function openLibraryIn(dataDir: string): Deps {
  return openLibrary({ ...readSettings({ LOG_LEVEL: "warn" }), dataDir }, process.stderr);
}

/** Creates an account and a key. */
export async function createOwner(deps: Deps): Promise<Owner> {
  const account = await createAccount(deps, {
    email: "bench@example.com",
    name: "Bench",
    password: newId("usr"),
  });
  return { accountId: account.id, key: createKey(deps, account.id, { name: "bench" }).key };
}

/** A condition on jobs: those that work waits for. Whole tracks are heard a minute later, when nothing else is to do. */
export const IS_TO_BE_DONE = "state <> 'dead' AND name <> 'hear_whole'";

/** Waits until a server has no background work left. */
export async function untilIdle(dataDir: string): Promise<void> {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const jobs = db.query<{ left: number }, []>(`SELECT count(*) AS left FROM jobs WHERE ${IS_TO_BE_DONE}`);
  while ((jobs.get()?.left ?? 0) > 0) await Bun.sleep(POLL_MS);
  db.close();
}

/** Adds analysed tracks with genres and moods, rows only: no audio. Returns their ids. */
export function addAnalysedTracks(deps: Deps, ownerId: string, count: number): string[] {
  const random = randomFrom("bench");
  return transact(deps.db, (tx) =>
    Array.from({ length: count }, (_, index) => addTrack({ ...deps, db: tx }, ownerId, index, random)),
  );
}

function addTrack({ db, now }: Deps, ownerId: string, index: number, random: Random): string {
  const [id, versionId] = [newId("trk"), newId("ver")];
  const title = `Piece number ${index}`;
  const name = `${title}.mp3`;
  const sha256 = new Bun.CryptoHasher("sha256").update(name).digest("hex");
  const createdAt = now() - index * MINUTE_MS;
  const sound = { bpm: 60 + random() * 120, key: pick(KEYS, random), durationSec: 120 + random() * 240 };
  const words = { name, nameFold: fold(name), title, titleFold: fold(title), artist: `Artist ${index % 97}` };
  const versions = { activeVersionId: versionId, analysisVersionId: versionId };
  db.insert(tracks)
    .values({
      ...sound,
      ...words,
      ...versions,
      id,
      ownerId,
      createdAt,
      cid: sha256,
      analysisStatus: "completed",
    })
    .run();
  db.insert(versionRows)
    .values({ ...VERSION, id: versionId, trackId: id, name, sha256, createdAt, analysedAt: createdAt })
    .run();
  db.insert(analyses)
    .values({ ...MEASURED, ...sound, versionId, trackId: id, analysedAt: createdAt })
    .run();
  writeTags(db, ownerId, id, "genres", someOf("genres", 1 + Math.floor(random() * 3), random), "owner");
  writeTags(db, ownerId, id, "moods", someOf("moods", 1 + Math.floor(random() * 3), random), "owner");
  return id;
}

function someOf(category: "genres" | "moods", count: number, random: Random): string[] {
  const names = TAXONOMY[category].map(({ name }) => name);
  return [...new Set(Array.from({ length: count }, () => pick(names, random)))];
}

/** Returns one of the choices. */
export function pick<Choice>(choices: readonly Choice[], random: Random): Choice {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new RangeError("There is nothing to choose from");
  return choice;
}
