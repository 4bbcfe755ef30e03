import { join } from "node:path";
import { copyOf } from "../../src/media/retag/copy.ts";
import { retag } from "../../src/media/retag/retag.ts";
import type { Retagged } from "../../src/media/retag/retagged.ts";
import type { Tags } from "../../src/media/retag/tags.ts";
import { withFile } from "../../src/media/view/file-window.ts";
import { samples } from "./bytes.ts";
import { differences, seenBy } from "./expected.ts";
import type { Original, Originals } from "./originals.ts";
import { programs } from "./programs.ts";
import { READERS } from "./readers.ts";
import { attempt } from "./run.ts";

const TITLES = [
  "Night Drive",
  "Ночная поездка",
  "夜のドライブ",
  "Ünïcödé 🎧 Übung",
  "Ночь/夜/Night; & <more>",
];
/** A picture of one pixel. */
const SMALL = Buffer.from(
  "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "base64",
);
/** A cover of 20 MB: too large for FLAC. */
const LARGE = Buffer.concat([SMALL, samples(10 * 1024 * 1024, 2, 9)]);
/** Every how many copies have the large cover. */
const LARGE_EACH = 7;

/** Returns the tags for the copy of an original. */
export function tagsFor(index: number): Tags {
  const bytes = index % LARGE_EACH === 0 ? LARGE : SMALL;
  return {
    title: TITLES[index % TITLES.length],
    artists: index % 2 === 0 ? ["Zoë Ärger", "Мария"] : ["Solo"],
    album: "Night Album",
    albumArtists: ["Various", "東京"],
    place: { number: index + 1, of: 60 },
    disc: { number: 1, of: 2 },
    date: ["2026-03-27", "2026", "2026-03"][index % 3],
    genres: ["House", "Techno"],
    label: "Night Label",
    barcode: "0123456789012",
    isrc: `DE-A23-13-${String(index).padStart(5, "0")}`,
    iswc: "T-345.246.800-1",
    composers: ["Ben Müller", "Ана"],
    lyricists: ["Lou", "Kim"],
    publishers: ["North Songs", "South Songs"],
    cLine: "2026 Night Label",
    pLine: "2026 Night Masters",
    bpm: 128,
    key: "F# minor",
    language: "de",
    lyrics: "Erste Zeile\nZweite Zeile, größer\n\nПрипев",
    timedLyrics: [
      { atSec: 0.25, text: "Erste Zeile" },
      { atSec: 0.5, text: "Zweite Zeile, größer" },
    ],
    explicit: (["yes", "no", "clean"] as const)[index % 3],
    kind: "Instrumental",
    cover: { mediaType: "image/jpeg", bytes },
    aiUse: ["vocals: generated (Voice 2)", "mix: assisted"],
    loudness: {
      integratedLufs: -14.23,
      rangeLu: 6.5,
      truePeakDbtp: -1.02,
      momentaryMaxLufs: -10.1,
      shortTermMaxLufs: -11.5,
    },
    project: "Night & <Day>",
    note: "For the trailer",
  };
}

type Copy = Retagged & { original: Original; path: string; tags: Tags };

/** Writes a copy of a file. */
export async function writeCopy(from: string, to: string, tags: Tags): Promise<Retagged> {
  const retagged = await withFile(from, (file) => retag(file, tags));
  await Bun.write(to, new Response(await copyOf(from, retagged.pieces).open()));
  return retagged;
}

/** Returns the hash of the decoded samples, or what the decoder said. */
export function soundOf(path: string): string {
  const { isGood, output } = attempt([
    "ffmpeg",
    "-v",
    "error",
    "-nostdin",
    "-i",
    path,
    "-map",
    "0:a:0",
    "-f",
    "hash",
    "-hash",
    "sha256",
    "-c:a",
    "pcm_s32le",
    "-",
  ]);
  const hash = /SHA256=\w+/.exec(output)?.[0];
  return hash ? `${isGood ? "" : "damaged "}${hash}` : "no sound";
}

async function writeCopies(originals: readonly Original[], folder: string): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const [index, original] of originals.entries()) {
    const tags = tagsFor(index);
    const path = join(folder, `copy-${index}-${original.name}`);
    copies.push({ ...(await writeCopy(original.path, path, tags)), original, path, tags });
  }
  return copies;
}

/** Returns what is wrong with a copy, whoever reads its tags. */
async function problemsOf({ original, path, sizeBytes, written, notWritten }: Copy): Promise<string[]> {
  return [
    Bun.file(path).size === sizeBytes ? "" : "not the length that was promised",
    soundOf(path) === soundOf(original.path) ? "" : "another sound",
    written.length > 0 ? "" : `not written: ${notWritten[0]?.reason}`,
    (await Bun.file(path).text()).includes("secret session") ? "an old tag went along" : "",
  ].filter((text) => text !== "");
}

/** Makes the copies and reads them. @returns How many are not as they must be. */
export async function checkCopies(
  { originals, untaggable }: Originals,
  folder: string,
  say: (text: string) => void,
): Promise<number> {
  const copies = await writeCopies(originals, folder);
  const problems = new Map<Copy, string[]>(copies.map((copy) => [copy, []]));
  const note = (copy: Copy, text: string) => problems.get(copy)?.push(text);
  for (const copy of copies) for (const text of await problemsOf(copy)) note(copy, text);
  await readAll(copies, note, say);
  runPrograms(copies, note, say);

  const bad = [...problems].filter(([, texts]) => texts.length > 0);
  for (const [{ original }, texts] of bad) for (const text of texts) say(`  ${original.name}: ${text}`);
  const left = leftOut(copies);
  say(
    `${copies.length - bad.length} of ${copies.length} copies equal in sound and whole in fields; left out and named: ${left}`,
  );
  return bad.length + (await checkUntaggable(untaggable, folder, say));
}

async function readAll(
  copies: readonly Copy[],
  note: (copy: Copy, text: string) => void,
  say: (text: string) => void,
) {
  for (const reader of READERS) {
    if (!reader.isThere()) {
      say(`absent: ${reader.name}`);
      continue;
    }
    const readings = await reader.read(copies.map(({ path }) => path));
    let [fields, wrong] = [0, 0];
    for (const [index, copy] of copies.entries()) {
      const { family } = copy.original;
      const about = { reader, family, path: copy.path };
      const found = differences(copy.tags, copy.written, readings[index] ?? { error: ["no answer"] }, about);
      for (const text of found) note(copy, text);
      fields += seenBy(copy.written, reader, family, copy.path);
      wrong += found.length;
    }
    say(`${reader.name}: ${fields - wrong} of ${fields} fields of ${copies.length} copies`);
  }
}

function runPrograms(
  copies: readonly Copy[],
  note: (copy: Copy, text: string) => void,
  say: (text: string) => void,
) {
  const { there, absent } = programs();
  for (const { name, endings, check, cannotRead } of there) {
    const own = copies.filter(({ path }) => endings.test(path) && !cannotRead?.(path));
    let good = 0;
    for (const copy of own) {
      const problem = check(copy.path, (copy.tags.isrc ?? "").replaceAll("-", ""));
      if (problem === undefined) good += 1;
      else note(copy, `${name}: ${problem}`);
    }
    say(`${name}: ${good} of ${own.length} copies`);
  }
  if (absent.length > 0) say(`absent: ${absent.join(", ")}`);
}

/** Says which fields are not in how many copies, and why. */
function leftOut(copies: readonly Copy[]): string {
  const counts = new Map<string, number>();
  for (const { notWritten } of copies)
    for (const { field, reason } of notWritten) {
      const key = `${field} ${reason}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].map(([key, count]) => `${key} ${count}`).join(", ");
}

async function checkUntaggable(
  files: readonly Original[],
  folder: string,
  say: (text: string) => void,
): Promise<number> {
  let bad = 0;
  for (const { name, path } of files) {
    const to = join(folder, `as-it-is-${name}`);
    const { written, notWritten } = await writeCopy(path, to, tagsFor(1));
    const isSame = Buffer.compare(await Bun.file(path).bytes(), await Bun.file(to).bytes()) === 0;
    const isNamed = written.length === 0 && notWritten.length > 0;
    if (!isSame || !isNamed) bad += 1;
    if (!isSame || !isNamed) say(`  ${name}: not copied as it is`);
  }
  say(
    `${files.length - bad} of ${files.length} files that cannot carry tags copied as they are, every field named`,
  );
  return bad;
}
