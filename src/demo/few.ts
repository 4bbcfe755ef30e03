import { join } from "node:path";
import { ambient } from "./pieces/ambient.ts";
import { boomBap } from "./pieces/boom-bap.ts";
import { deepHouse } from "./pieces/deep-house.ts";
import { renderPiece } from "./render.ts";

/** The three pieces that the console adds to an empty library: they differ in style, tempo and mood. */
const FEW = [deepHouse, boomBap, ambient];

/** Writes {@link FEW} into a folder, as a child process: each takes half a second of a core. Returns the exit code. */
export async function writeFewPieces(folder: string): Promise<number> {
  for (const piece of FEW) await Bun.write(join(folder, piece.filename), renderPiece(piece));
  return 0;
}
