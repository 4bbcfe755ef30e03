/** The forms in which notes are exported: for workstations and scripts, and a table for people. */
export const MARKER_FORMATS = ["reaper", "audacity", "audition", "midi", "wav", "csv", "tsv"] as const;
export type MarkerFormat = (typeof MARKER_FORMATS)[number];
