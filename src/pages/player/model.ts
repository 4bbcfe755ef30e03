/** A track, as the player shows it. Paths are complete and include the page root. */
export type PlayerTrack = {
  id: string;
  /** The version that plays. */
  versionId: string;
  title: string;
  artist: string | null;
  /** Null until the track is analysed. */
  durationSec: number | null;
  /** True while it is being analysed: it plays, but has no waveform yet. */
  isPending: boolean;
  /** Paths of the small and the large picture; undefined when covers are drawn. */
  thumbnail: string | undefined;
  picture: string | undefined;
  /** The browser plays the first one that it can. Never empty. */
  sources: readonly { path: string; type: string }[];
  waveformPath: string;
  downloadPath: string | undefined;
  /** In dB. */
  gainDb: number;
  /** Tempo, key and credits in a line; undefined where they are not shown. */
  details: string | undefined;
};

/**
 * Addresses of the rest of a list: a page for visitors who follow the link, and a fragment that the script puts in
 * place of the link.
 */
export type ListEnd = { pageHref: string; listHref: string };

/** A part of a list of tracks. */
export type PlayerRows = {
  tracks: readonly PlayerTrack[];
  /** Position of the first row in the whole list, counted from 1. */
  firstNumber: number;
  /** Undefined at the end of the list. */
  next: ListEnd | undefined;
};

/** A comment about a track. */
export type PlayerComment = {
  id: string;
  trackId: string;
  name: string;
  text: string;
  /** Null when it is about the whole track. */
  positionSec: number | null;
  /** `15 January 2026` */
  date: string;
  /** The version that was heard; null when it was deleted. */
  versionId: string | null;
  /** What it is called, or was called. */
  versionLabel: string | null;
  /** True when the track has other versions. */
  hasOthers: boolean;
  /** The track's title, on a page with several tracks. */
  title?: string | undefined;
};

/** The comments of a page, and the form to add one. */
export type PlayerComments = {
  items: readonly PlayerComment[];
  /** Undefined when there are no older comments. */
  next: ListEnd | undefined;
  /** Undefined when these are the newest. */
  newestHref: string | undefined;
  action: string;
  /** The most characters of a comment and of its writer's name. */
  longest: { text: number; name: number };
  /** Proof that the server issued this page; sent with the form. */
  proof: { e: string; s: string };
  /** The error of a rejected comment, and the values that it had. */
  error?: string | undefined;
  draft?:
    | { name: string; text: string; at: string; trackId: string; versionId: string | undefined }
    | undefined;
};
