import { type Db, transact } from "../../db/client.ts";
import { analyses, playlists, playlistTracks, tracks, versions } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { fold } from "../../src/kernel/text.ts";
import { writeTags } from "../../src/modules/library/tags/service.ts";
import type { TagCategory } from "../../src/modules/library/tags/shapes.ts";

type TrackColumns = typeof tracks.$inferInsert;
type MeasuredColumns = typeof analyses.$inferInsert;

/** The columns that a test sets; the rest has plausible values. Folded columns follow from the others. */
export type TrackOptions = Partial<
  Omit<TrackColumns, "id" | "ownerId" | "nameFold" | "titleFold" | "artistFold">
> & {
  /** Visibility of its only version. */
  visible?: boolean;
  tags?: Partial<Record<TagCategory, readonly string[]>>;
  /** Overrides {@link MEASURED}. Without it, the track was never analysed. */
  measured?: Partial<MeasuredColumns>;
};

/** Half past noon on 15 January 2026. */
export const CREATED_AT = Date.UTC(2026, 0, 15, 12, 30);

/** The measurements that {@link addTrackRows} writes. */
export const MEASURED = {
  analyzerVersion: "1",
  analysedAt: CREATED_AT + 5000,
  durationSec: 187.25,
  sampleRateHz: 48_000,
  channels: 2,
  codec: "PCM",
  lossless: true,
  bitDepth: 24,
  bitrateBps: 2_304_000,
  truncated: false,
  integratedLufs: -9.4,
  rangeLu: 6.1,
  momentaryMaxLufs: -6.2,
  shortTermMaxLufs: -7.5,
  truePeakDbtp: -0.3,
  samplePeakDbfs: -0.5,
  bpm: 122,
  bpmConfidence: 0.9,
  bpmCandidates: [
    { bpm: 122, confidence: 0.9 },
    { bpm: 61, confidence: 0.3 },
  ],
  key: "F minor",
  keyConfidence: 0.8,
  tuningCents: 3.5,
  structure: null,
} as const satisfies Partial<MeasuredColumns>;

/** Adds a track with one version directly to the database, as an upload and an analysis would. */
export function addTrackRows(
  db: Db,
  ownerId: string,
  options: TrackOptions = {},
): { id: string; versionId: string } {
  const { visible = true, tags = {}, measured, ...columns } = options;
  const id = newId("trk");
  const versionId = columns.activeVersionId ?? newId("ver");
  const name = columns.name ?? "Night Bus.wav";
  const createdAt = columns.createdAt ?? CREATED_AT;
  db.insert(tracks)
    .values({
      analysisStatus: measured ? "completed" : "pending",
      analysisVersionId: measured ? versionId : null,
      activeVersionId: versionId,
      ...columns,
      id,
      ownerId,
      name,
      nameFold: fold(name),
      titleFold: columns.title ? fold(columns.title) : null,
      artistFold: columns.artist ? fold(columns.artist) : null,
      createdAt,
    })
    .run();
  addVersionRow(db, id, { id: versionId, name, visible, createdAt, versionOrder: 0 });
  if (measured) addMeasuredRow(db, id, versionId, measured);
  for (const [category, names] of Object.entries(tags))
    writeTags(db, ownerId, id, category as TagCategory, names, "owner");
  return { id, versionId };
}

/**
 * Adds a playlist of `count` tracks to the database; `optionsOf` returns the options of each, by its number from 1.
 */
export function addPlaylistRows(
  db: Db,
  ownerId: string,
  count: number,
  optionsOf: (number: number) => TrackOptions,
  columns: Partial<typeof playlists.$inferInsert> = {},
): { id: string; trackIds: string[] } {
  const id = newId("pl");
  const at = { createdAt: CREATED_AT, updatedAt: CREATED_AT };
  return transact(db, (tx) => {
    tx.insert(playlists)
      .values({ name: "Everything", ...at, ...columns, id, ownerId })
      .run();
    const trackIds = Array.from({ length: count }, (_, index) => {
      const track = addTrackRows(tx, ownerId, optionsOf(index + 1));
      const place = { playlistId: id, trackId: track.id, position: (index + 1) * 1024, addedAt: CREATED_AT };
      tx.insert(playlistTracks).values(place).run();
      return track.id;
    });
    return { id, trackIds };
  });
}

/** Adds a version of a track to the database. Returns its id. */
export function addVersionRow(
  db: Db,
  trackId: string,
  columns: Partial<typeof versions.$inferInsert> & { versionOrder: number },
): string {
  const id = columns.id ?? newId("ver");
  db.insert(versions)
    .values({
      label: null,
      name: "Night Bus.wav",
      visible: false,
      sha256: "ab".repeat(32),
      sizeBytes: 1_000_000,
      mediaType: "audio/wav",
      container: "wav",
      createdAt: CREATED_AT,
      ...columns,
      id,
      trackId,
    })
    .run();
  return id;
}

/** Adds the analysis of a version to the database. */
export function addMeasuredRow(
  db: Db,
  trackId: string,
  versionId: string,
  measured: Partial<MeasuredColumns>,
): void {
  db.insert(analyses)
    .values({
      ...MEASURED,
      bpmCandidates: [...MEASURED.bpmCandidates],
      features: {},
      embedded: {},
      waveform: Buffer.alloc(0),
      ...measured,
      trackId,
      versionId,
    })
    .run();
}
