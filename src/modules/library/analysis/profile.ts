import type { TrackColumns } from "../catalog/service.ts";
import { parseEmbeddedKey } from "./embedded-key.ts";
import type { FileInfo, Measurement } from "./task.ts";
import { chooseTempo } from "./tempo-octave.ts";

type Tags = FileInfo["tags"];

const NOT_MEASURED = { bpm: null, candidates: [] };

/**
 * Returns a file's own tags as profile columns; missing tags are left out. Tempo and key are included only when the
 * file's values may replace a measurement that could not be made.
 */
export function taggedProfile(tags: Tags): TrackColumns {
  return present({
    ...textColumns(tags),
    bpm: chooseTempo(NOT_MEASURED, tags.bpm) ?? undefined,
    key: tags.key === undefined ? undefined : parseEmbeddedKey(tags.key),
  });
}

/** Returns what a file's own tags say in words, as profile columns. Its tempo and key wait for a measurement. */
export const wordsOfFile = (tags: Tags): TrackColumns => present(textColumns(tags));

/** Returns the profile of a measured file. Tempo, key and duration are always present, null if unknown. */
export function measuredProfile(measurement: Measurement, tags: Tags): TrackColumns {
  return {
    ...taggedProfile(tags),
    ...tempoAndKey(measurement, tags),
    durationSec: round(measurement.durationSec, 1000),
  };
}

/** Returns the tempo and key to show unless the owner wrote others; null if unknown. */
export function tempoAndKey(
  { tempo, key }: { tempo: Parameters<typeof chooseTempo>[0]; key: { name: string | null } },
  tags: Pick<Tags, "bpm" | "key">,
): { bpm: number | null; key: string | null } {
  const bpm = chooseTempo(tempo, tags.bpm);
  return {
    bpm: bpm === null ? null : round(bpm, 100),
    key: key.name ?? (tags.key === undefined ? null : (parseEmbeddedKey(tags.key) ?? null)),
  };
}

/** Leaves out the columns that the owner wrote (decision 3.0), which the track's `ownerFields` names. */
export function withoutOwnerFields(profile: TrackColumns, ownerFields: readonly string[]): TrackColumns {
  return Object.fromEntries(Object.entries(profile).filter(([column]) => !ownerFields.includes(column)));
}

function textColumns(tags: Tags): { [Column in keyof TrackColumns]?: TrackColumns[Column] | undefined } {
  return {
    title: tags.title,
    artist: tags.artist,
    album: tags.album,
    albumArtist: tags.albumArtist,
    composer: tags.composer,
    year: textOf(tags.year),
    // Stored in the same form as an ISRC that the owner writes (decision 4.13).
    isrc: tags.isrc?.toUpperCase().replaceAll("-", ""),
    trackGenre: tags.genres?.join(", "),
    trackNumber: textOf(tags.trackNumber),
    discNumber: textOf(tags.discNumber),
    totalTracksAlbum: textOf(tags.totalTracks),
    totalDiscsAlbum: textOf(tags.totalDiscs),
    recordLabel: tags.label,
    lyrics: tags.lyrics,
  };
}

const textOf = (value: number | undefined) => (value === undefined ? undefined : String(value));
const round = (value: number, steps: number) => Math.round(value * steps) / steps;

function present(
  columns: { [Column in keyof TrackColumns]?: TrackColumns[Column] | undefined },
): TrackColumns {
  return Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined && value !== ""),
  );
}
