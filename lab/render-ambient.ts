/**
 * Renders ambient music with a soft pulse, and pads without one, for which no tempo may be named, with their truth.
 *
 * usage: bun lab/render-ambient.ts --into FOLDER --soundfont FILE... [--count 40] [--seed 1] [--part hold]
 *
 * Every second clip has a pulse. Needs fluidsynth and ffmpeg.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { beatlessAmbient, pulsingAmbient } from "./eval-audio/ambient.ts";
import { type Clip, writeTruth } from "./eval-audio/clip.ts";
import { createRandom } from "./eval-audio/random.ts";
import { renderScore } from "./eval-audio/render.ts";

const SECONDS = 60;
const ROOMS = [
  "",
  "aecho=0.8:0.7:90|170|260:0.4|0.3|0.2",
  "lowpass=f=3000",
  "aecho=0.8:0.6:60:0.4,lowpass=f=5000",
];

const { values } = parseArgs({
  options: {
    into: { type: "string", default: "" },
    soundfont: { type: "string", multiple: true, default: [] },
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    part: { type: "string", default: "hold" },
  },
});
await mkdir(values.into, { recursive: true });
const random = createRandom(Number(values.seed) * 6007);
const part = values.part === "fit" ? "fit" : "hold";
const clips: Clip[] = [];
for (let i = 0; i < Number(values.count); i++) {
  const { score, truth } = i % 2 === 0 ? pulsingAmbient(random) : beatlessAmbient(random);
  const file = `${String(i).padStart(3, "0")}-${truth.group}.mp3`;
  const rendering = {
    soundfont: random.pick(values.soundfont),
    seconds: SECONDS,
    filter: random.pick(ROOMS),
  };
  await renderScore(score, join(values.into, file), rendering);
  clips.push({ ...truth, file, part });
}
await writeTruth(values.into, clips);
console.log(`${clips.length} clips in ${values.into}`);
