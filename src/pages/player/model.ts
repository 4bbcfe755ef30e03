/** A track as the player shows it. Paths are whole, with the page root. */
export type PlayerTrack = {
  id: string;
  title: string;
  artist: string | null;
  /** Null while the track was not analysed. */
  durationSec: number | null;
  /** Of the small and the large picture; undefined: drawn covers. */
  thumbnail: string | undefined;
  picture: string | undefined;
  /** The first that a browser can play is the one to play. Never empty. */
  sources: readonly { path: string; type: string }[];
  waveformPath: string;
  downloadPath: string | undefined;
  /** In dB. */
  gainDb: number;
};

/** Something that was said about a track. */
export type PlayerComment = {
  id: string;
  trackId: string;
  name: string;
  text: string;
  /** Null: about the whole track. */
  positionSec: number | null;
  /** `15 January 2026` */
  date: string;
};

/** What visitors may say, and where they send it. */
export type PlayerComments = {
  items: readonly PlayerComment[];
  action: string;
  /** Proof that this page was given out; sent with the form. */
  proof: { e: string; s: string };
  /** What went wrong with the comment that came back with the page, and what was in it. */
  error?: string | undefined;
  draft?: { name: string; text: string; at: string; trackId: string } | undefined;
};
