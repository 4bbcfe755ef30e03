import { ESSENTIA_METHODS, loadEssentia } from "../../lab/eval-audio/essentia.ts";
import { decodeMono } from "../../lab/fit/features.ts";
import type { Figure } from "./figures.ts";

const RATE_HZ = 44_100;

/**
 * Measures how fast essentia.js finds the tempo and key of a file, without decoding. Returns no figures if it is
 * not installed.
 */
export async function benchEssentia(path: string): Promise<Figure[]> {
  const essentia = await loadEssentia();
  if (!essentia) return [];
  const mono = await decodeMono(path);
  const durationSec = mono.length / RATE_HZ;
  return ESSENTIA_METHODS.map((method) => {
    const { seconds } = essentia(mono, method);
    return {
      what: `essentia.js ${method}, decoding left out`,
      figure: `${(durationSec / seconds).toFixed(0)}x real time`,
    };
  });
}
