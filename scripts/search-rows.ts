import type { Database } from "bun:sqlite";
import { TAXONOMY, type TaxonomyCategory } from "../db/taxonomy.ts";
import { DESCRIPTOR_VERSION } from "../src/audio/analyzer.ts";
import type { Random } from "../src/demo/dsp/random.ts";
import { newId } from "../src/kernel/ids.ts";
import { fold } from "../src/kernel/text.ts";

/** A tag: a category as in tag writes, and a name from the taxonomy. */
export type TagName = readonly [category: WrittenCategory, name: string];
type WrittenCategory = Exclude<keyof typeof TAXONOMY_NAMES, never>;

/** The data of a made-up track; missing values are unknown. */
export type MadeTrack = {
  ownerId: string;
  createdAt: number;
  /** The file's name; without it, the title with an extension. */
  name?: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  key: string | null;
  durationSec: number;
  /** 0 to 1. */
  energy: number;
  lyrics?: string | null;
  notes?: string | null;
  tags: readonly TagName[];
  suggestions?: readonly (readonly [...TagName, confidence: number])[];
  /** Of length 1. */
  vector: Float32Array;
};

/** Categories of tag writes and the taxonomy's names for them. */
const TAXONOMY_NAMES = {
  genres: "genres",
  moods: "moods",
  instruments: "instruments",
  vocals: "vocalTypes",
  types: "audioTypes",
  eras: "eras",
  characters: "characters",
  movements: "movements",
} as const satisfies Record<string, TaxonomyCategory>;

const WAVEFORM = Buffer.alloc(2000);

/**
 * Returns a function that adds an analysed track as rows and returns its id. It is faster than the product because
 * it writes no audio and no versions, which a search never reads. Foreign keys must be off.
 */
export function rowWriter(client: Database): (track: MadeTrack) => string {
  const track = client.query(
    `INSERT INTO tracks (id, owner_id, name, name_fold, created_at, active_version_id, analysis_status,
       analysis_version_id, title, title_fold, artist, artist_fold, bpm, key, duration_sec, lyrics, notes)
     VALUES (?, ?, ?, ?, ?, ?, 'completed', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
  );
  const words = client.query(
    "INSERT INTO track_text (rowid, name, title, artist, lyrics, notes, owner) VALUES (?, ?, ?, ?, ?, ?, hex(?))",
  );
  const analysis = client.query(
    `INSERT INTO analyses (version_id, track_id, analyzer_version, analysed_at, duration_sec, sample_rate_hz,
       channels, bpm_confidence, bpm_candidates, key_confidence, features, embedded, waveform)
     VALUES (?, ?, 'made up', 0, 200, 44100, 2, 0.9, '[]', 0.8, ?, '{}', ?)`,
  );
  const tag = client.query(
    `INSERT OR IGNORE INTO track_tags (track_id, category, tag_id, name, name_fold, position, source, owner_id)
     VALUES (?, ?, ?, ?, ?, 0, 'owner', ?)`,
  );
  const suggestion = client.query(
    `INSERT OR IGNORE INTO tag_suggestions (track_id, category, tag_id, name, confidence, model_version)
     VALUES (?, ?, ?, ?, ?, 'made up')`,
  );
  const vector = client.query(
    "INSERT INTO track_vectors (track_id, provider, version, dimensions, embedding) VALUES (?, 'descriptors', ?, ?, ?)",
  );
  return (made) => {
    const { ownerId, title, artist, lyrics = null, notes = null } = made;
    const [id, versionId, name] = [newId("trk"), newId("ver"), made.name ?? `${title}.wav`];
    const row = track.get(
      id,
      ownerId,
      name,
      fold(name),
      made.createdAt,
      versionId,
      versionId,
      title,
      folded(title),
      artist,
      folded(artist),
      made.bpm,
      made.key,
      made.durationSec,
      lyrics,
      notes,
    ) as { seq: number };
    words.run(row.seq, name, title ?? "", artist ?? "", lyrics ?? "", notes ?? "", ownerId);
    analysis.run(versionId, id, JSON.stringify({ energy: made.energy }), WAVEFORM);
    for (const [category, value] of made.tags)
      tag.run(id, category, idOf(category, value), value, fold(value), ownerId);
    for (const [category, value, confidence] of made.suggestions ?? [])
      suggestion.run(id, category, idOf(category, value), value, confidence);
    vector.run(id, DESCRIPTOR_VERSION, made.vector.length, bytesOf(made.vector));
    return id;
  };
}

const folded = (text: string | null) => (text === null ? null : fold(text));

const IDS = new Map(
  Object.entries(TAXONOMY_NAMES).flatMap(([category, name]) =>
    TAXONOMY[name].map((entry) => [`${category} ${entry.name}`, entry.id] as const),
  ),
);

function idOf(category: WrittenCategory, name: string): string {
  const id = IDS.get(`${category} ${name}`);
  if (id === undefined) throw new RangeError(`The taxonomy has no ${category} ${name}`);
  return id;
}

/** Returns a vector of length 1 in a random direction. */
export function randomUnit(dimensions: number, random: Random): Float32Array {
  return normalised(Float32Array.from({ length: dimensions }, () => gaussian(random)));
}

/** Returns a vector of length 1 near another, at a distance of about `spread`. */
export function near(centre: Float32Array, spread: number, random: Random): Float32Array {
  const noise = spread / Math.sqrt(centre.length);
  return normalised(centre.map((value) => value + noise * gaussian(random)));
}

/** Returns the vector scaled to length 1. */
export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

/** Returns a nearly normal number with mean 0 and deviation 1: the sum of four uniform ones. */
export function gaussian(random: Random): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** Returns a vector in its stored form. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
