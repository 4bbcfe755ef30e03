import { trackVectors } from "../../db/schema.ts";
import { PASSAGE_VERSION } from "../../src/audio/descriptors/passages.ts";
import { EARS_VERSION } from "../../src/ears/tags.ts";
import type { TagCategory } from "../../src/modules/library/tags/shapes.ts";
import type { TestApp } from "./app.ts";
import { addTrackRows } from "./track-rows.ts";

/** The data of a track in a search test; missing values are unknown. */
export type LibraryTrack = {
  title?: string;
  artist?: string;
  bpm?: number;
  key?: string;
  durationSec?: number;
  language?: string;
  lyrics?: string;
  notes?: string;
  createdAt?: number;
  tags?: Partial<Record<TagCategory, readonly string[]>>;
  /** 0 to 1, as the analysis measures it. */
  energy?: number;
  /** 0 to 1, as the analysis measures it. */
  voiceLikelihood?: number;
  /** 0 to 1, as the analysis measures it. */
  brightness?: number;
  /** LUFS. */
  loudness?: number;
  /** More features, as the analysis measures them. */
  features?: Readonly<Record<string, number>>;
  /** By how much a minor key fits better than a major one, -1 to 1. */
  minorLead?: number;
  /** Stored as given, without normalising. */
  vector?: readonly number[];
  vectorVersion?: string;
  /** Of every ten seconds the 80 numbers that an analysis measures, -127 to 127. */
  passages?: readonly (readonly number[])[];
  /** The log-odds of the ears' tags. */
  heard?: readonly number[];
  /** False for a track that waits for its first analysis. */
  analysed?: boolean;
};

/** Adds tracks to an account's library, as an upload and an analysis would. Returns their ids. */
export function addTracks(
  { deps: { db } }: TestApp,
  ownerId: string,
  tracks: readonly LibraryTrack[],
): string[] {
  return tracks.map((track) => {
    const { energy, voiceLikelihood, brightness, minorLead, loudness, features: more, ...rest } = track;
    const { vector, vectorVersion = "1", passages, heard, analysed = true, ...columns } = rest;
    const measured = { energy, voiceLikelihood, brightness, minorLead };
    const features = Object.fromEntries(
      Object.entries({ ...measured, ...more }).filter(
        (entry): entry is [string, number] => entry[1] !== undefined,
      ),
    );
    const title = columns.title ?? "Untitled";
    const { id } = addTrackRows(db, ownerId, {
      name: `${title}.wav`,
      ...columns,
      ...(analysed && {
        measured: { features, ...(loudness !== undefined && { integratedLufs: loudness }) },
      }),
    });
    const { artist = "", lyrics = "", notes = "" } = columns;
    db.$client
      .query(
        `INSERT INTO track_text (rowid, name, title, artist, album, composer, lyrics, notes, owner)
         SELECT seq, name, ?, ?, '', '', ?, ?, hex(owner_id) FROM tracks WHERE id = ?`,
      )
      .run(title, artist, lyrics, notes, id);
    const vectors = [
      { provider: "descriptors", version: vectorVersion, values: vector },
      { provider: "ears", version: EARS_VERSION, values: heard },
    ];
    for (const { values, ...row } of vectors) {
      if (!values) continue;
      const embedding = Buffer.from(Float32Array.from(values).buffer);
      db.insert(trackVectors)
        .values({ trackId: id, ...row, dimensions: values.length, embedding })
        .run();
    }
    if (passages)
      db.$client
        .query("INSERT INTO track_passages (track_id, version, vectors) VALUES (?, ?, ?)")
        .run(id, PASSAGE_VERSION, new Uint8Array(Int8Array.from(passages.flat()).buffer));
    return id;
  });
}
