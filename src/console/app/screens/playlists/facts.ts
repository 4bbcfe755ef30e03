import { clock } from "../../player/time.ts";
import type { Row } from "../../playlists/types.ts";
import { saveTable } from "../../ui/csv.ts";
import { tenths } from "../../ui/numbers.ts";

/** Returns how far a playlist's tracks are apart in loudness; undefined while nothing is known. */
export function loudnessOf(rows: readonly Row[]): string | undefined {
  const known = rows.flatMap(({ integratedLufs }) => integratedLufs ?? []);
  if (known.length === 0) return undefined;
  const [loudest, quietest] = [tenths(Math.max(...known)), tenths(Math.min(...known))];
  if (loudest === quietest) return `${loudest} LUFS`;
  return `${loudest} to ${quietest} LUFS; matched on the page`;
}

/** Has the browser save the tracks as a table of comma-separated values. */
export function saveList(name: string, rows: readonly Row[]): void {
  const head = ["", "Title", "Artist", "Length", "BPM", "Key"];
  const lines = rows.map(({ title, artist, durationSec, bpm, key }, at) => [
    String(at + 1),
    title,
    artist ?? "",
    durationSec === null ? "" : clock(durationSec),
    bpm === null ? "" : String(Math.round(bpm)),
    key ?? "",
  ]);
  saveTable(name, [head, ...lines]);
}
