import { basename, join } from "node:path";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { analyseFile } from "../eval-audio/analyse-file.ts";
import { createRandom } from "../eval-audio/random.ts";
import { renderScore } from "../eval-audio/render.ts";
import { readKept } from "../eval-ears/kept.ts";
import { coldMusic } from "../eval-search/cold-music.ts";
import { CODINGS, disturbance, SOUNDFONTS } from "./clips.ts";
import { lineUp } from "./line-ups.ts";

/** A piece, the taxonomy names that are known to apply to it, what the ears heard, and what was measured. */
export type Piece = {
  source: string;
  has: string[];
  perhaps: string[];
  heard: number[];
  descriptors: number[];
};

/** Null for what the ears do not listen to. */
type Measured = Pick<Piece, "heard" | "descriptors"> | null;

/** Rendered pieces are judged by soundfont, as if each were a package. */
const RENDERED = 400;
const SECONDS = 20;
const GENRES = [
  "Orchestral",
  "Classical",
  "Electronic",
  "Ambient",
  "Rock",
  "Metal",
  "Folk",
  "Jazz",
  "Techno",
  "Chiptune",
];

/** Names that a package's words give to its music as a whole, of which single pieces may have none. */
const OF_SOME: Readonly<Record<string, readonly string[]>> = {
  "wesnoth-1.16-music": ["Brass", "Flute", "Harp", "Classical", "Woodwinds"],
};
/** What the words of these packages leave open. */
const UNSAID = (
  "Piano, Organ, Choir, Guitar, Acoustic Guitar, Bass Guitar, Woodwinds, Mallets, Brass, Drums, Harp, Flute, " +
  "Saxophone, Violin, Cello, Classical, Folk"
).split(", ");
const UNSAID_IN = [
  "unknown-horizons",
  "marsshooter-data",
  "warzone2100-music",
  "singularity-music",
  "freedroidrpg-data",
  "supertux-data",
  "nexuiz-music",
];

/** Returns what was heard in Debian's game music and in rendered pieces, listened to once per folder. */
export async function piecesIn(folder: string): Promise<Piece[]> {
  const kept = await readKept<Measured>(folder);
  const pieces: Piece[] = [];
  for (const { file, ...labels } of await labelledMusic(folder)) {
    const measured = await kept(basename(file), () => measure(file));
    if (measured) pieces.push({ ...labels, ...measured });
  }
  for (let index = 0; index < RENDERED; index++) {
    const random = createRandom(50_000 + index);
    const { score, tags, hasGenre } = lineUp(random);
    const path = join(folder, `clip.${random.pick(CODINGS)}`);
    const soundfont = random.pick(SOUNDFONTS);
    const measured = await kept(`rendered ${index}`, async () => {
      await renderScore(score, path, { soundfont, seconds: SECONDS, filter: disturbance(random) });
      return measure(path);
    });
    const perhaps = hasGenre ? [] : possibleGenres(tags);
    if (measured) pieces.push({ source: basename(soundfont), has: [...tags], perhaps, ...measured });
  }
  return pieces;
}

/** Returns Debian's game music, and the taxonomy names that are known to apply to it. */
export async function labelledMusic(
  folder: string,
): Promise<(Pick<Piece, "source" | "has" | "perhaps"> & { file: string })[]> {
  return (await coldMusic(folder)).map(({ file, source, is, perhaps }) => {
    const open = [...(OF_SOME[source] ?? []), ...(UNSAID_IN.includes(source) ? UNSAID : [])];
    const has = is.filter((name) => !OF_SOME[source]?.includes(name));
    const unknown = open.filter((name) => !has.includes(name));
    return { file, source, has, perhaps: [...perhaps, ...unknown] };
  });
}

/** Returns the genres that a piece without one might be said to have: not those whose instruments are missing. */
function possibleGenres(tags: readonly string[]): string[] {
  const has = (...names: string[]) => names.some((name) => tags.includes(name));
  const impossible = new Set<string>();
  if (!(has("Strings") && has("Brass", "Woodwinds"))) impossible.add("Orchestral");
  if (!has("Drums")) for (const name of ["Rock", "Metal", "Techno"]) impossible.add(name);
  if (!has("Distorted Guitar")) impossible.add("Metal");
  if (!has("Synth", "Drums")) for (const name of ["Electronic", "Chiptune"]) impossible.add(name);
  return GENRES.filter((name) => !impossible.has(name));
}

/** Measures a file as the program does. */
async function measure(file: string): Promise<Measured> {
  const { heard, descriptors } = (await analyseFile(file, findFfmpeg(undefined)?.path)).measurement;
  if (!heard || !descriptors) return null;
  return { heard: [...heard.subarray(0, HEARD_TAGS.length)], descriptors: [...descriptors] };
}
