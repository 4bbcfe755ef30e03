import type { Family } from "../../library/families/service.ts";

type FamilyMember = Family["members"][number];

import type { TrackRights } from "../../library/rights/shapes.ts";

/** Somebody who has a share of a work. */
export type Writer = {
  name: string;
  role: string;
  /** Per cent. */
  share: number;
  pro: string | null;
  ipi: string | null;
  isni: string | null;
  publisher: string | null;
};

/** What a track is among all that was made from one song. */
export type SetPlace = Pick<FamilyMember, "kind" | "part" | "editSec"> & {
  familyId: string;
  /** Of the main mix. */
  songTitle: string;
};

/** What is known of a track's file and details. */
export type TrackFacts = {
  trackId: string;
  name: string;
  title: string | null;
  artist: string | null;
  album: string | null;
  albumArtist: string | null;
  composer: string | null;
  year: string | null;
  albumYear: string | null;
  isrc: string | null;
  genre: string | null;
  label: string | null;
  language: string | null;
  cover: string | null;
  lyrics: string | null;
  bpm: number | null;
  key: string | null;
  trackNumber: string | null;
  totalTracks: string | null;
  discNumber: string | null;
  totalDiscs: string | null;
  versionId: string;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  container: string;
  createdAt: number;
  durationSec: number | null;
  codec: string | null;
  sampleRateHz: number | null;
  bitDepth: number | null;
  channels: number | null;
  integratedLufs: number | null;
  rangeLu: number | null;
  truePeakDbtp: number | null;
  momentaryMaxLufs: number | null;
  shortTermMaxLufs: number | null;
  /** Of the decoded sound, lower-case hex. */
  pcmSha256: string | null;
};

/** A track to deliver: what is known of it, and the version that goes out. */
export type Song = TrackFacts & {
  /** The copy that goes out in place of the original, whose size and hash `sizeBytes` and `sha256` are then. */
  marked?: { copyId: string; path: string; originalSha256: string };
  rights: TrackRights;
  /** Words with the time at which each line begins; null: there are no times. */
  timedLyrics: readonly { atSec: number; text: string }[] | null;
  /** Null: whoever asks does not see them. */
  writers: Writer[] | null;
  /** Null: there is only this one of the song. */
  set: SetPlace | null;
};

/** What a playlist or an album says of itself. */
export type AlbumRelease = {
  name: string;
  kind: "playlist" | "album";
  image: string | null;
  artist: string | null;
  label: string | null;
  catalogueNumber: string | null;
  releaseDate: string | null;
  upc: string | null;
};

/** What a package says of itself as a whole. */
export type Release = {
  title: string;
  artist: string | null;
  upc: string | null;
  label: string | null;
  catalogueNumber: string | null;
  date: string | null;
  pLine: string | null;
  cLine: string | null;
  /** The songs are on it in this order. */
  isAlbum: boolean;
  /** Key of its picture. */
  cover: string | null;
};
