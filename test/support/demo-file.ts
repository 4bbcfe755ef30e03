import type { DemoPiece } from "../../src/demo/piece.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { madeOnce } from "./made-once.ts";

/** Returns a piece of the demo as a WAV file. Synthesising one takes a second, so each is synthesised once. */
export async function demoFile(piece: DemoPiece): Promise<Uint8Array<ArrayBuffer>> {
  const path = await madeOnce(piece.filename, ["src/demo"], (to) => Bun.write(to, renderPiece(piece)));
  return Bun.file(path).bytes();
}
