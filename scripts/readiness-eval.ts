import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { PROFILES, RULES } from "../db/readiness.ts";
import { BLOCK_FRAMES } from "../src/audio/dsp/planar.ts";
import { createFaultFinder } from "../src/audio/faults/faults.ts";
import { createLoudnessMeter } from "../src/audio/loudness/loudness.ts";
import { createPeakMeter } from "../src/audio/loudness/true-peak.ts";
import { checkedFacts, gainsOf } from "../src/modules/library/readiness/facts.ts";
import { judge } from "../src/modules/library/readiness/judge.ts";
import { FAULTS, type Stereo } from "./readiness/faults.ts";

/**
 * Tries the rules about sound: each on its own fault, made from real music, and on the music as it is.
 *
 *     bun scripts/readiness-eval.ts [--faults 20] [--pieces 60] [--seconds 60] FILES…
 *     bun scripts/readiness-eval.ts --masters FILES…
 *
 * FILES is any music that ffmpeg reads. It is decoded to 24 bits at 44.1 kHz, as a master would be. With `--masters`, WAV files are
 * taken whole, as they are, and nothing is broken: `bun lab/render-masters.ts` makes sixty. Ends with 1 when a fault was missed, when a
 * piece as it is must be mended, or when more than 5 % of them should be.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: "string", default: "20" },
    pieces: { type: "string", default: "60" },
    seconds: { type: "string", default: "60" },
    masters: { type: "boolean", default: false },
  },
});

type Format = { rateHz: number; bits: number };
const AS_DECODED: Format = { rateHz: 44_100, bits: 24 };
const STEPS = 2 ** 23;
const SHORTEST_SEC = 8;
const QUIETEST_PEAK = 0.1;
const custom = PROFILES.find(({ id }) => id === "custom");
if (!custom) throw new Error("There is no profile of every rule");
const soundRules = RULES.filter(({ scope, code }) => scope === "sound" && code !== "not_checked");

/** Returns what the header of a WAV file says of its samples. */
async function formatOf(path: string): Promise<Format> {
  const head = new DataView(await Bun.file(path).slice(0, 36).arrayBuffer());
  return { rateHz: head.getUint32(24, true), bits: head.getUint16(34, true) };
}

async function decode(path: string, { rateHz }: Format): Promise<Stereo> {
  const input = ["-v", "error", ...(values.masters ? [] : ["-t", values.seconds]), "-i", path];
  const output = ["-f", "f32le", "-ac", "2", "-ar", String(rateHz), "-"];
  const child = Bun.spawn(["nice", "ffmpeg", ...input, ...output], { stdout: "pipe", env: process.env });
  const both = new Float32Array(await new Response(child.stdout).arrayBuffer());
  const sound: Stereo = [new Float32Array(both.length / 2), new Float32Array(both.length / 2)];
  for (let i = 0; i < both.length; i++)
    (sound[i & 1] as Float32Array)[i >> 1] =
      Math.round(Math.max(-1, Math.min(1, both[i] as number)) * STEPS) / STEPS;
  return sound;
}

/** Returns the codes that a sound fails by, each with its level, as an analysis would measure it. */
function codesOf(sound: Stereo, { rateHz, bits }: Format): string[] {
  const format = { sampleRateHz: rateHz, channels: 2 };
  const meters = [createFaultFinder(format), createLoudnessMeter(format), createPeakMeter(format)] as const;
  for (let from = 0; from < sound[0].length; from += BLOCK_FRAMES) {
    const planes = sound.map((samples) => samples.subarray(from, from + BLOCK_FRAMES));
    for (const meter of meters) meter.push(planes, planes[0]?.length ?? 0);
  }
  const [finder, loudness, peaks] = meters;
  const { integratedLufs } = loudness.finish();
  const truePeakDbtp = 20 * Math.log10(peaks.finish().truePeak);
  const endSec = sound[0].length / rateHz;
  return judged({
    ...checkedFacts(finder.finish(), bits),
    ...gainsOf(integratedLufs),
    bitDepth: bits,
    truePeakDbtp,
    integratedLufs: integratedLufs ?? undefined,
    startSec: 0,
    endSec,
  });
}

const judged = (facts: Parameters<typeof judge>[2]) =>
  judge(soundRules, custom, facts).map(({ rule, level }) => `${rule.code} ${level}`);

const found = new Map<string, number>();
const raised = new Map<string, string[]>();
let [pieces, faulty, stops, warned] = [0, 0, 0, 0];
for (const path of positionals) {
  if (pieces >= Number(values.pieces)) break;
  const format = values.masters ? await formatOf(path) : AS_DECODED;
  const sound = await decode(path, format);
  const isMusic =
    sound[0].length > SHORTEST_SEC * format.rateHz &&
    sound[0].some((value) => Math.abs(value) > QUIETEST_PEAK);
  if (!isMusic && !values.masters) continue;
  const name = path.split("/").at(-1) ?? path;
  const asItIs = codesOf(sound, format);
  pieces++;
  for (const code of asItIs) raised.set(code, [...(raised.get(code) ?? []), name]);
  if (asItIs.some((code) => code.endsWith(" stop"))) stops++;
  if (asItIs.some((code) => code.endsWith(" warn"))) warned++;
  if (values.masters || faulty >= Number(values.faults)) continue;
  faulty++;
  for (const [code, make] of Object.entries(FAULTS)) {
    if (codesOf(make(sound), format).some((each) => each.startsWith(`${code} `)))
      found.set(code, (found.get(code) ?? 0) + 1);
    else console.error(`not found: ${code} in ${name}`);
  }
}

console.log(`${pieces} pieces, ${faulty} with a fault for each rule, ${availableParallelism()} cores`);
for (const code of values.masters ? [] : Object.keys(FAULTS))
  console.log(`${code}: found in ${found.get(code) ?? 0} of ${faulty}`);
for (const [code, names] of [...raised].sort())
  console.log(`on the music as it is, ${code}: ${names.length} (${names.slice(0, 4).join(", ")})`);
console.log(`as it is: ${stops} of ${pieces} must be mended, ${warned} should be`);
const isMissed = Object.keys(FAULTS).some((code) => (found.get(code) ?? 0) < faulty);
process.exitCode = isMissed || stops > 0 || warned > 0.05 * pieces ? 1 : 0;
