import type { Marker } from "./marker.ts";

/** Markers as the lists that workstations, scripts and people read. Times are seconds of the recording. */

/**
 * Returns a list for REAPER's Region/Marker Manager. Its times never have hours: REAPER reads a time with two dots as bars and
 * beats, and takes any number of minutes.
 */
export function reaperList(markers: readonly Marker[]): string {
  const lines = markers.map(({ number, name, atSec, endSec }) => {
    const [start, cell] = [minutes(atSec), quoted(name)];
    return endSec === null
      ? `M${number},${cell},${start},,,`
      : `R${number},${cell},${start},${minutes(endSec)},${minutes(lengthSec(atSec, endSec))},`;
  });
  return inLines(["#,Name,Start,End,Length,Color", ...lines], "\r\n");
}

/** Returns a label track of Audacity: a moment ends where it begins. */
export function audacityList(markers: readonly Marker[]): string {
  const lines = markers.map(({ name, atSec, endSec }) => [
    atSec.toFixed(6),
    (endSec ?? atSec).toFixed(6),
    name,
  ]);
  return inTabs(lines, "\n");
}

/** Returns a list of markers of Adobe Audition. */
export function auditionList(markers: readonly Marker[]): string {
  const head = ["Name", "Start", "Duration", "Time Format", "Type", "Description"];
  const lines = markers.map(({ name, text, atSec, endSec }) => [
    unquoted(name),
    hours(atSec),
    hours(lengthSec(atSec, endSec ?? atSec)),
    "decimal",
    "Cue",
    unquoted(text),
  ]);
  return inTabs([head, ...lines], "\r\n");
}

/** A marker with the id of its note. */
export type NotedMarker = Marker & { id: string };

/** Returns a line per marker for scripts: id, start, end and name. A moment has no end. */
export function scriptList(markers: readonly NotedMarker[]): string {
  const lines = markers.map(({ id, atSec, endSec, name }) => [
    id,
    atSec.toFixed(6),
    endSec?.toFixed(6) ?? "",
    name,
  ]);
  return inTabs(lines, "\n");
}

/** A note of the table for people. */
export type TableNote = {
  version: string;
  /** Null: of the whole recording. */
  atSec: number | null;
  endSec: number | null;
  /** True when the place is a guess. */
  isAbout: boolean;
  author: string;
  state: "open" | "answered";
  text: string;
  replies: number;
};

/** Returns notes as a table that spreadsheets open. Texts must be on one line. */
export function noteTable(notes: readonly TableNote[]): string {
  const head = ["version", "start", "end", "author", "state", "text", "replies"];
  const lines = notes.map(({ version, atSec, endSec, isAbout, author, state, text, replies }) => [
    version,
    atSec === null ? "" : `${isAbout ? "about " : ""}${hours(atSec)}`,
    endSec === null ? "" : hours(endSec),
    author,
    state,
    text,
    String(replies),
  ]);
  return inLines(
    [head, ...lines].map((cells) => cells.map((cell) => quoted(harmless(cell))).join(",")),
    "\r\n",
  );
}

/** Returns `m:ss.mmm`. */
const minutes = (sec: number): string => clock(msOf(sec), Number.POSITIVE_INFINITY);

/** Returns `m:ss.mmm`, or `h:mm:ss.mmm` from an hour on. */
const hours = (sec: number): string => clock(msOf(sec), 60);

function clock(ms: number, minutesOfHour: number): string {
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, "0");
  const all = Math.floor(ms / 60_000);
  if (all < minutesOfHour) return `${all}:${seconds}`;
  return `${Math.floor(all / minutesOfHour)}:${String(all % minutesOfHour).padStart(2, "0")}:${seconds}`;
}

const msOf = (sec: number): number => Math.round(sec * 1000);

/** Returns the length that leads from one written time to the other. */
const lengthSec = (atSec: number, endSec: number): number => (msOf(endSec) - msOf(atSec)) / 1000;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A reader of quoted cells would look for the end of this one in later lines. */
const unquoted = (cell: string): string => cell.replace(/^"/, "'");

/**
 * Returns a cell that no spreadsheet takes for a formula.
 *
 * @see OWASP, "CSV Injection"
 */
const harmless = (cell: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell);

const inTabs = (lines: readonly (readonly string[])[], end: string): string =>
  inLines(
    lines.map((cells) => cells.join("\t")),
    end,
  );

const inLines = (lines: readonly string[], end: string): string =>
  lines.map((line) => `${line}${end}`).join("");
