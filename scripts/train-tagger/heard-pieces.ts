import { existsSync } from "node:fs";
import { join } from "node:path";
import { ANALYSIS_HZ } from "../../src/audio/analyzer.ts";
import { createEars } from "../../src/ears/ears.ts";
import { createRandom } from "../eval-audio/random.ts";
import { coldMusic } from "../eval-search/cold-music.ts";
import { arrange } from "./arrangement.ts";
import { renderPiece } from "./clips.ts";

/** A piece, the taxonomy names that are known to apply to it, and what the ears heard. */
export type Piece = { source: string; has: string[]; perhaps: string[]; heard: number[] };

const RENDERED = 90;
/** Rendered pieces are judged in parts, as if each were a package. */
const PARTS = 3;
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

/** Returns what was heard in Debian's game music and in rendered pieces, listened to once per folder. */
export async function piecesIn(folder: string): Promise<Piece[]> {
  const cache = join(folder, "heard.json");
  if (existsSync(cache)) return Bun.file(cache).json();
  const pieces: Piece[] = [];
  for (const { file, source, is, perhaps } of await coldMusic(folder)) {
    const heard = await listen(file);
    if (heard) pieces.push({ source, has: [...is], perhaps: [...perhaps], heard: [...heard] });
  }
  for (let index = 0; index < RENDERED; index++) {
    const { tags, hasGenre } = arrange(createRandom(1000 + index));
    const path = await renderPiece(folder, index);
    const heard = await listen(path);
    // A piece without a genre cannot be used for genres.
    const perhaps = hasGenre ? [] : GENRES;
    if (heard)
      pieces.push({ source: `rendered ${index % PARTS}`, has: [...tags], perhaps, heard: [...heard] });
  }
  await Bun.write(cache, JSON.stringify(pieces));
  return pieces;
}

/** Listens to a file as the program does. Needs ffmpeg on PATH. */
async function listen(file: string): Promise<Float32Array | null> {
  const output = ["-f", "f32le", "-ac", "1", "-ar", String(ANALYSIS_HZ), "-"];
  const sound = await Bun.$`ffmpeg -nostdin -v error -i ${file} ${output}`.quiet().arrayBuffer();
  const samples = new Float32Array(sound, 0, Math.floor(sound.byteLength / 4));
  const ears = createEars(ANALYSIS_HZ);
  ears.push(samples, samples.length);
  return ears.finish();
}
