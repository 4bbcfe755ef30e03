import { join } from "node:path";
import type { Figure } from "./figures.ts";

/** In a process of its own, because only the lab has essentia.js among its packages. */
const TIMING = join(import.meta.dir, "../../lab/time-essentia.ts");

/**
 * Measures how fast essentia.js finds the tempo and key of a file, without decoding. Returns no figures if it is
 * not installed in lab/.
 */
export async function benchEssentia(path: string): Promise<Figure[]> {
  const timing = Bun.spawn([process.execPath, TIMING, path], { stdout: "pipe", stderr: "inherit" });
  const lines = (await new Response(timing.stdout).text()).split("\n").filter(Boolean);
  if ((await timing.exited) !== 0) throw new Error(`${TIMING} failed`);
  return lines.map((line) => {
    const { method, timesRealTime } = JSON.parse(line) as { method: string; timesRealTime: number };
    return {
      what: `essentia.js ${method}, decoding left out`,
      figure: `${timesRealTime.toFixed(0)}x real time`,
    };
  });
}
