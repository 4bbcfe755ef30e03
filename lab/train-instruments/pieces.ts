import { join } from "node:path";
import { MOST_WIDTHS } from "../../src/ears/instruments.ts";
import { HEARD_GENRES, HEARD_NAMES } from "../../src/ears/tags.ts";
import { FEATURES } from "./features.ts";
import { type Mix, PASSAGES_OF_MIX } from "./mixes.ts";
import type { Recording } from "./real.ts";

/** A piece, where its sounds are from, and for each of HEARD_NAMES 1, 0 or NaN where it is unknown. */
export type Piece = {
  groups: readonly string[];
  isReal: boolean;
  labels: Float32Array;
  passages: Float32Array[];
  /** The share of the piece that each passage stands for. */
  shares: readonly number[];
};

/** The usual value of each input and its deviation. */
export type Scales = { centres: Float32Array; widths: Float32Array };

/** Returns all that was heard, made-up pieces and real ones. */
export async function readPieces(folder: string): Promise<Piece[]> {
  const mixes = await read<Mix>(folder, "mixes", () => PASSAGES_OF_MIX);
  const real = await read<Recording>(folder, "real", ({ shares }) => shares.length);
  return [
    ...mixes.map(({ line, passages }) => ({
      groups: line.groups,
      isReal: false,
      labels: labelsOf(line),
      passages,
      shares: passages.map(() => 1 / passages.length),
    })),
    ...real.map(({ line, passages }) => ({
      groups: [line.source],
      isReal: true,
      labels: labelsOfReal(line),
      passages,
      shares: line.shares,
    })),
  ];
}

/** Genres of which one tells that music is none of HEARD_GENRES that its package does not name. */
const CLEAR = ["Electronic", "Ambient", "Orchestral", "Rock", "Metal", "Techno"];

/** Returns what is known of a recording; its package seldom says which genres it is not. */
function labelsOfReal({ has, perhaps }: Recording): Float32Array {
  const open = has.some((name) => CLEAR.includes(name)) ? [] : HEARD_GENRES;
  const known = perhaps.filter((name) => !HEARD_GENRES.some((genre) => genre === name));
  return labelsOf({ has, perhaps: [...known, ...open] });
}

function labelsOf({ has, perhaps }: Pick<Mix, "has" | "perhaps">): Float32Array {
  return Float32Array.from(HEARD_NAMES, (name) =>
    has.includes(name) ? 1 : perhaps.includes(name) ? Number.NaN : 0,
  );
}

/** Returns each line of a file, with its rows of features. */
async function read<Line>(folder: string, name: string, rowsOf: (line: Line) => number) {
  const text = await Bun.file(join(folder, `${name}.jsonl`)).text();
  const features = new Float32Array(await Bun.file(join(folder, `${name}.bin`)).arrayBuffer());
  let row = 0;
  return text
    .trim()
    .split("\n")
    .map((json) => {
      const line = JSON.parse(json) as Line;
      const passages = Array.from({ length: rowsOf(line) }, () =>
        features.subarray(row * FEATURES, ++row * FEATURES),
      );
      return { line, passages };
    });
}

/** Returns the usual value and the deviation of each input. */
export function scalesOf(pieces: readonly Piece[]): Scales {
  const rows = pieces.flatMap(({ passages }) => passages);
  const [centres, widths] = [new Float32Array(FEATURES), new Float32Array(FEATURES)];
  for (let i = 0; i < FEATURES; i++) {
    let [sum, squares] = [0, 0];
    for (const row of rows) {
      const value = row[i] as number;
      sum += value;
      squares += value * value;
    }
    const mean = sum / rows.length;
    centres[i] = mean;
    widths[i] = Math.sqrt(Math.max(0, squares / rows.length - mean * mean)) + LEAST_WIDTH;
  }
  return { centres, widths };
}

const LEAST_WIDTH = 0.001;

/** Returns inputs in widths from their usual values, limited as the ears limit them. */
export function standardised(row: Float32Array, { centres, widths }: Scales): Float32Array {
  return row.map((value, i) => {
    const off = (value - (centres[i] as number)) / (widths[i] as number);
    return Math.max(-MOST_WIDTHS, Math.min(MOST_WIDTHS, off));
  });
}
