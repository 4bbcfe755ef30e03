import type { ShareRow } from "./queries.ts";

/** A track, as a page shows it: its active version, and that version's measurements. */
export type SharedTrackRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  /** Storage key of the picture. */
  cover: string | null;
  versionId: string;
  versionName: string;
  sha256: string;
  mediaType: string;
  sizeBytes: number;
  durationSec: number | null;
  /** Null when not measured, or silent. */
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  /** 1 while it is being analysed. */
  isPending: 0 | 1;
  bpm: number | null;
  key: string | null;
  /** As the file's tags or the owner have it. */
  composer: string | null;
};

/** The track or playlist that a page opens, and whose it is. `wholeFamily`: what is kept with the track too. */
export type Opened = Pick<ShareRow, "entityId" | "ownerId"> & Partial<Pick<ShareRow, "wholeFamily">>;

/** SQL condition: a link to the track `entity` with its whole family shows the track `t`. */
export const inSetOf = (entity: string) => `t.id IN (SELECT m.track_id FROM family_members o
    JOIN family_members m ON m.family_id = o.family_id WHERE o.track_id = ${entity} AND m.hidden_from_links = 0)
  AND t.in_inbox = 0 AND (t.analysis_status <> 'failed' OR t.analysis_version_id IS NOT NULL)`;

/** What a {@link SharedTrackRow} is read from. */
export const COLUMNS = `t.id, t.name, t.title, t.artist, t.cover, v.id AS versionId, v.name AS versionName, v.sha256,
  v.media_type AS mediaType, v.size_bytes AS sizeBytes, coalesce(a.duration_sec, t.duration_sec) AS durationSec,
  a.integrated_lufs AS integratedLufs, a.true_peak_dbtp AS truePeakDbtp,
  a.version_id IS NULL AND t.analysis_status IN ('pending', 'processing') AS isPending, t.bpm, t.key, t.composer`;
export const JOINED =
  "JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id";

/** The data of a version for serving its file. */
export type SharedVersionRow = Pick<
  SharedTrackRow,
  "versionId" | "versionName" | "sha256" | "mediaType" | "sizeBytes"
> & {
  trackId: string;
  createdAt: number;
  /** Null until it is analysed. */
  durationSec: number | null;
};
