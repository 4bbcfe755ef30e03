import { clock } from "../../../../pages/waveform.ts";
import type { Row } from "../../playlists/types.ts";

const LUFS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Returns how far a playlist's tracks are apart in loudness; undefined while nothing is known. */
export function loudnessOf(rows: readonly Row[]): string | undefined {
  const known = rows.flatMap(({ integratedLufs }) => integratedLufs ?? []);
  if (known.length === 0) return undefined;
  const write = (lufs: number) => LUFS.format(lufs).replace("-", "−");
  const [loudest, quietest] = [write(Math.max(...known)), write(Math.min(...known))];
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
  const text = [head, ...lines].map((line) => line.map(quoted).join(",")).join("\r\n");
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Spreadsheets read a cell that begins with one of these signs as a formula. */
const quoted = (cell: string) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
