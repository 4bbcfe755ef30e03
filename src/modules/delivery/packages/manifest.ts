import { PROGRAM } from "../../../kernel/program.ts";
import { toIso } from "../../../kernel/time.ts";
import type { HashOf, PlannedFile } from "./content.ts";
import type { Release, Song } from "./known.ts";
import type { Profile } from "./shapes.ts";
import { songTitle } from "./song.ts";

/** What a manifest is made of. */
export type ManifestParts = {
  madeAt: number;
  profile: Profile;
  release: Release;
  /** In the order of the list. */
  songs: readonly Song[];
  files: readonly PlannedFile[];
  root: string;
};

/** Returns `manifest.json` of a package, format 1. Hashes have one length, so its size is known before them. */
export function manifestOf({ madeAt, profile, release, songs, files, root }: ManifestParts, hashOf: HashOf) {
  const { cover: _, ...said } = release;
  const sounds = Map.groupBy(
    files.filter(({ content }) => content.is === "sound"),
    ({ content }) => (content.is === "sound" ? content.place : 0),
  );
  return {
    format: 1,
    program: `Dubplate ${PROGRAM.version}`,
    madeAt: toIso(madeAt),
    profile,
    release: said,
    tracks: songs.map((song, at) => ({
      place: at + 1,
      ...trackOf(song),
      files: (sounds.get(at + 1) ?? []).map((file) => fileOf(file, song, root, hashOf)),
    })),
  };
}

/** A manifest as it is stored and sent. */
export type Manifest = ReturnType<typeof manifestOf>;

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

function trackOf(song: Song) {
  const { artist, isrc, durationSec, bpm, key, writers } = song;
  return {
    title: songTitle(song),
    artists: artist === null ? [] : [artist],
    isrc,
    durationSec,
    bpm,
    key,
    loudness: { lufs: song.integratedLufs, peakDbtp: song.truePeakDbtp },
    ...(writers && {
      writers: writers.map(({ name, role, share, pro, ipi }) => ({ name, role, share, pro, ipi })),
    }),
  };
}

function fileOf({ path, sizeBytes }: PlannedFile, song: Song, root: string, hashOf: HashOf) {
  const { pcmSha256, sha256: originalSha256, codec, sampleRateHz, bitDepth } = song;
  return {
    path: path.slice(root.length + 1),
    bytes: sizeBytes,
    sha256: hashOf(path),
    pcmSha256,
    originalSha256,
    codec,
    sampleRateHz,
    bitDepth,
  };
}
