import type { Row } from "./notation.ts";
import { briefRows, composerRows, playlistRows } from "./specification/collections.ts";
import { keyRows, serviceRows } from "./specification/keys.ts";
import { analyticsRows, platformRows } from "./specification/reporting.ts";
import { searchRows, tagRows, trackRows, versionRows } from "./specification/tracks.ts";

/** Section 4 as data, row by row: what the service promises, written independently of the code. */
export const ROWS: readonly Row[] = [
  ...trackRows,
  ...versionRows,
  ...tagRows,
  ...searchRows,
  ...playlistRows,
  ...composerRows,
  ...analyticsRows,
  ...briefRows,
  ...serviceRows,
  ...platformRows,
  ...keyRows,
];
