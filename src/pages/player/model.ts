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

/** Where a list goes on: for those who follow the link, and for the script, which puts what it gets in its place. */
export type ListEnd = { pageHref: string; listHref: string };

/** A part of a list of tracks. */
export type PlayerRows = {
  tracks: readonly PlayerTrack[];
  /** The place of the first of them in the whole list, from 1 on. */
  firstNumber: number;
  /** Undefined: the list ends here. */
  next: ListEnd | undefined;
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
  /** Of the track, where a page has several. */
  title?: string | undefined;
};

/** What visitors may say, and where they send it. */
export type PlayerComments = {
  items: readonly PlayerComment[];
  /** Undefined: nothing older was said. */
  next: ListEnd | undefined;
  /** Undefined: these are the newest. */
  newestHref: string | undefined;
  action: string;
  /** Proof that this page was given out; sent with the form. */
  proof: { e: string; s: string };
  /** What went wrong with the comment that came back with the page, and what was in it. */
  error?: string | undefined;
  draft?: { name: string; text: string; at: string; trackId: string } | undefined;
};
