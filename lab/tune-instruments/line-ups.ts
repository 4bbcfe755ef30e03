import { join } from "node:path";
import { EARS_HZ } from "../../src/ears/levels.ts";
import { judgedLineUps } from "../eval-ears/line-ups.ts";
import { createKeeper, piecesIn } from "./rows.ts";

const PASSAGES = 6;

/** Hears what is not yet in the folder: the rendered line-ups of lab/eval-ears.ts, of which csound's soundfont plays every other. */
export async function hearLineUps(folder: string): Promise<void> {
  const done = await piecesIn(folder);
  const keep = await createKeeper(folder, PASSAGES);
  for (const { path, is, perhaps = [] } of (await judgedLineUps(join(folder, "line-ups"))).slice(done)) {
    const format = ["-ac", "1", "-ar", String(EARS_HZ), "-f", "f32le", "-"];
    const bytes = await Bun.$`ffmpeg -nostdin -v error -i ${path} ${format}`.quiet().arrayBuffer();
    await keep(new Float32Array(bytes), { has: is, perhaps });
  }
}
