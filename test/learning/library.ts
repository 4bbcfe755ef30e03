import { eq } from "drizzle-orm";
import { tracks, trackVectors } from "../../db/schema.ts";
import { type AudioAnalysis, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { RULES_VERSION } from "../../src/modules/library/analysis/learning/versions.ts";
import type { TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { type Kind, measureClip } from "./sounds.ts";

const clips = new Map<string, AudioAnalysis>();

/** Returns the analysis of a clip. Each clip is measured once per test run. */
export function clipOf(kind: Kind, number: number): AudioAnalysis {
  const key = `${kind} ${number}`;
  const clip = clips.get(key) ?? measureClip(kind, number);
  clips.set(key, clip);
  return clip;
}

/** Adds clips of a kind to an account's library, as uploads and their analyses would. Returns the tracks' ids. */
export function addClips(
  { deps: { db } }: TestApp,
  ownerId: string,
  kind: Kind,
  numbers: readonly number[],
): string[] {
  return numbers.map((number) => {
    const clip = clipOf(kind, number);
    const { id } = addTrackRows(db, ownerId, {
      name: `${kind} ${number}.wav`,
      measured: {
        durationSec: clip.durationSec,
        ...clip.loudness,
        bpm: clip.tempo.bpm,
        key: clip.key.name,
        keyConfidence: clip.key.confidence,
        features: clip.features,
      },
    });
    if (clip.descriptors) {
      const embedding = Buffer.from(clip.descriptors.buffer.slice(0));
      const version = DESCRIPTOR_VERSION;
      const dimensions = clip.descriptors.length;
      db.insert(trackVectors)
        .values({ trackId: id, provider: "descriptors", version, dimensions, embedding })
        .run();
    }
    db.update(tracks).set({ suggestionModel: RULES_VERSION }).where(eq(tracks.id, id)).run();
    return id;
  });
}
