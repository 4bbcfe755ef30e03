import type { Finding } from "./queries.ts";

/** What a finding is about. */
export type About = {
  title: string;
  trackId?: string;
  versionId?: string;
  /** Of a finding about an album. */
  playlistId?: string;
  /** Returns the tracks beside it that have a finding of the same rule. */
  alike: (code: string) => readonly string[];
};

/** What dialogs about a track get. */
export type DialogProps = { finding: Finding; about: About; trackId: string; onClose: () => void };
