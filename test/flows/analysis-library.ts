import { eq } from "drizzle-orm";
import { analyses, events, jobs, tracks, trackTags, trackVectors, versions } from "../../db/schema.ts";
import { encodeId3 } from "../../src/demo/id3.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import {
  addTracks,
  keepTrackFiles,
  type NewTrackFile,
  stageTrackFile,
} from "../../src/modules/library/tracks/upload/create.ts";
import { chordProgression, drumLoop, wavBytes } from "../support/signals.ts";

export const RATE_HZ = 22_050;

/** A beat at 120 and four chords of A minor, 8 seconds. */
export function song(): Uint8Array<ArrayBuffer> {
  const drums = drumLoop(RATE_HZ, 8, 120);
  const chords = chordProgression(RATE_HZ, 8, { tonic: 9, minor: true });
  return wavBytes([drums.map((sample, i) => 0.5 * sample + (chords[i] ?? 0))], RATE_HZ, 16);
}

/** Returns a WAV file with ID3 text frames after its sound, as Mixed In Key and others write them. */
export function tagged(wav: Uint8Array, frames: Record<string, string>): Uint8Array<ArrayBuffer> {
  const tag = encodeId3(Object.entries(frames).map(([name, text]) => ({ name, text })));
  const chunk = Buffer.alloc(8 + tag.length + (tag.length % 2));
  chunk.write("id3 ");
  chunk.writeUInt32LE(tag.length, 4);
  chunk.set(tag, 8);
  const whole = Buffer.concat([wav, chunk]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return new Uint8Array(whole);
}

/** Adds a file to the library, as an upload does, and returns the track's id. */
export async function addFile(
  deps: Deps,
  ownerId: string,
  bytes: Uint8Array,
  profile: NonNullable<NewTrackFile["profile"]> = {},
): Promise<string> {
  const chunks = (async function* () {
    yield bytes;
  })();
  const staged = await stageTrackFile(deps, { filename: "Night Bus.wav", bytes: chunks });
  await keepTrackFiles(deps, [staged]);
  const [track] = addTracks(deps, ownerId, [{ ...staged, visible: false, profile }]);
  if (!track) throw new Error("No track was made");
  return track.id;
}

/** Returns everything that an analysis may write about a track. */
export function library({ db }: Pick<Deps, "db">, trackId: string) {
  const track = db.select().from(tracks).where(eq(tracks.id, trackId)).get();
  if (!track) throw new Error("No such track");
  return {
    track,
    version: db.select().from(versions).where(eq(versions.id, track.activeVersionId)).get(),
    analyses: db.select().from(analyses).where(eq(analyses.trackId, trackId)).all(),
    tags: db.select().from(trackTags).where(eq(trackTags.trackId, trackId)).all(),
    vectors: db.select().from(trackVectors).where(eq(trackVectors.trackId, trackId)).all(),
    events: db.select().from(events).all(),
    jobs: db.select().from(jobs).all(),
  };
}
