/**
 * Times essentia.js on one file, without decoding, and prints how much faster than real time each of its methods is,
 * one JSON object per line. Prints nothing where it is not installed (`bun install` in lab/).
 *
 * usage: bun lab/time-essentia.ts FILE
 */
import { ESSENTIA_METHODS, loadEssentia } from "./eval-audio/essentia.ts";
import { decodeMono } from "./fit/features.ts";

const RATE_HZ = 44_100;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: bun lab/time-essentia.ts FILE");
const essentia = await loadEssentia();
if (essentia) {
  const mono = await decodeMono(file);
  for (const method of ESSENTIA_METHODS)
    console.log(
      JSON.stringify({ method, timesRealTime: mono.length / RATE_HZ / essentia(mono, method).seconds }),
    );
}
