import { PROGRAM } from "../../../kernel/program.ts";
import { toIso } from "../../../kernel/time.ts";
import type { Finding, ListReadiness } from "../../library/readiness/shapes.ts";
import type { HashOf, PlannedFile, Sound } from "./content.ts";
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
  readiness: ListReadiness;
};

/** Returns `manifest.json` of a package, format 1. Hashes have one length, so its size is known before them. */
export function manifestOf(parts: ManifestParts, hashOf: HashOf) {
  const { madeAt, profile, release, songs, files, root, readiness } = parts;
  const { title, artist, upc, label, date, pLine, cLine } = release;
  const sounds = Map.groupBy(
    files.flatMap(({ content, ...file }) => (content.is === "sound" ? [{ ...file, sound: content }] : [])),
    ({ sound }) => sound.place,
  );
  const judged = new Map(readiness.tracks.map((track) => [track.trackId, track.findings]));
  return {
    format: 1,
    program: `Dubplate ${PROGRAM.version}`,
    madeAt: toIso(madeAt),
    profile,
    rules: readiness.rules,
    release: { title, artist, upc, label, date, pLine, cLine },
    findings: readiness.findings.map(findingOf),
    tracks: songs.map((song, at) => ({
      place: at + 1,
      ...trackOf(song),
      files: (sounds.get(at + 1) ?? []).map((file) => fileOf(file, root, hashOf)),
      findings: (judged.get(song.trackId) ?? []).map(findingOf),
    })),
  };
}

/** A manifest as it is stored and sent. */
export type Manifest = ReturnType<typeof manifestOf>;

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** Of a finding, what somebody outside can use. */
const findingOf = ({ code, level, message, value, limit, atSec }: Finding) => ({
  ...{ code, level, message, value, limit, atSec },
});

function trackOf(song: Song) {
  const { artist, isrc, durationSec, bpm, key, writers, rights, set } = song;
  return {
    title: songTitle(song),
    artists: artist === null ? [] : [artist],
    kind: set?.kind ?? "main",
    editSec: set?.editSec ?? null,
    isrc,
    iswc: rights.iswc,
    durationSec,
    bpm,
    key,
    loudness: { lufs: song.integratedLufs, peakDbtp: song.truePeakDbtp },
    ...(writers && { writers }),
    aiUse: rights.aiUse,
  };
}

type SoundFile = Pick<PlannedFile, "path" | "sizeBytes"> & { sound: Sound };

function fileOf({ path, sizeBytes, sound }: SoundFile, root: string, hashOf: HashOf) {
  const { marked, codec, sampleRateHz, bitDepth } = sound.song;
  const originalSha256 = marked?.originalSha256 ?? sound.song.sha256;
  // The sound of a copy is its own.
  const pcmSha256 = marked ? null : sound.song.pcmSha256;
  return {
    path: path.slice(root.length + 1),
    bytes: sizeBytes,
    sha256: hashOf(path),
    ...{ pcmSha256, originalSha256, codec, sampleRateHz, bitDepth },
    ...(marked && { isMarked: true }),
    written: sound.copy?.written ?? [],
    notWritten: sound.copy?.notWritten.map(({ field }) => field) ?? [],
  };
}
