/**
 * Writes markers in every form beside a WAV file, reads them back with libsndfile, wavinfo, mido, ffprobe and Python's csv, and prints
 * what each of them found, one JSON object per line. Exit 1 when one of them found something else.
 *
 * usage: bun lab/read-markers.ts [FILE.wav]    (a second of tones without one)
 *
 * Needs ffmpeg with ffprobe, and a Python with `pip install wavinfo mido soundfile`; PYTHON names another one than python3.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audacityList, auditionList, noteTable, reaperList } from "../src/media/markers/lists.ts";
import { type Marker, markerName } from "../src/media/markers/marker.ts";
import { midiMarkers } from "../src/media/markers/midi.ts";
import { markedWav } from "../src/media/markers/wav.ts";
import { withFile } from "../src/media/view/file-window.ts";
import { tone, wavBytes } from "../test/media/wave-bytes.ts";

const RATE_HZ = 48_000;
const BPM = 123.4;

const TEXTS = ['Ana: kick, "too" loud', "Zoë: Gesang früher, bitte", "=Bo: -6 dB, then ｗｉｄｅ"] as const;
const PLACES: readonly [atSec: number, endSec: number | null][] = [
  [0.1, null],
  [0.25, 0.75],
  [0.9999, null],
];
const MARKERS: readonly Marker[] = PLACES.map(([atSec, endSec], index) => {
  const text = `${TEXTS[index]} and the rest of it`;
  return { number: index + 1, atSec, endSec, name: markerName(TEXTS[index] ?? ""), text };
});

const folder = mkdtempSync(join(tmpdir(), "dubplate-markers-"));
const at = (name: string) => join(folder, name);

/** Writes a copy of a WAV file with the markers. */
async function mark(from: string, to: string): Promise<void> {
  const pieces = await withFile(from, (file) => markedWav(file, MARKERS));
  const bytes = Buffer.from(await Bun.file(from).arrayBuffer());
  const parts = pieces.map((piece) =>
    piece instanceof Uint8Array ? piece : bytes.subarray(piece.start, piece.end),
  );
  await Bun.write(to, Buffer.concat(parts));
}

const given = process.argv[2];
const samples = tone(RATE_HZ, RATE_HZ);
const sources = {
  plain: given ? await Bun.file(given).bytes() : wavBytes({ depth: "s24", sampleRateHz: RATE_HZ, samples }),
  odd: wavBytes({ depth: "s24", sampleRateHz: RATE_HZ, samples: samples.slice(1) }),
};
for (const [name, bytes] of Object.entries(sources)) await Bun.write(at(`${name}.wav`), bytes);
Bun.spawnSync(
  ["ffmpeg", "-v", "error", "-i", at("plain.wav"), "-c", "copy", "-rf64", "always", at("rf64.wav")],
  {
    stderr: "inherit",
  },
);
for (const name of ["plain", "odd", "rf64"]) await mark(at(`${name}.wav`), at(`${name}-notes.wav`));
await Bun.write(at("twice.wav"), sources.plain);
await mark(at("plain-notes.wav"), at("twice-notes.wav"));
await Bun.write(at("reaper.csv"), reaperList(MARKERS));
await Bun.write(at("audacity.txt"), audacityList(MARKERS));
await Bun.write(at("audition.csv"), auditionList(MARKERS));
await Bun.write(at("notes.mid"), midiMarkers(MARKERS, BPM));
const row = { version: "v2", isAbout: false, state: "open", replies: 0 } as const;
await Bun.write(
  at("table.csv"),
  noteTable(
    MARKERS.map(({ atSec, endSec, name }) => ({
      ...row,
      atSec,
      endSec,
      author: name.split(": ")[0] ?? "",
      text: name,
    })),
  ),
);
await Bun.write(at("wanted.json"), JSON.stringify(MARKERS));

const reader = Bun.spawnSync(
  [process.env.PYTHON ?? "python3", join(import.meta.dir, "read-markers/read.py"), folder],
  { stdout: "inherit", stderr: "inherit" },
);
rmSync(folder, { recursive: true });
process.exit(reader.exitCode);
