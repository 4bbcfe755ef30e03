import { deserialize, serialize } from "bun:jsc";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import type { Sound } from "../../src/audio/fingerprint/sections.ts";
import type { Edit } from "./edits.ts";

const RATE_HZ = 44_100;

/** What is heard of an edited piece. */
export type Heard = Sound & {
  lengthSec: number;
  /** Of a traced edit: the second of the piece that sounds at every hundredth of a second. */
  traced?: Float32Array;
};

/** How pieces are cut, edited and heard. */
export type Hearing = {
  /** For what is written meanwhile. */
  folder: string;
  /** Keeps what was heard, so that the next time only sections are found. */
  keep: string | undefined;
  /** Seconds of each piece. */
  sec: number;
};

/** Decodes what is used of a piece, so that no filter sees the time stamps of a codec. Returns its file. */
export async function decoded({ folder, sec }: Hearing, path: string, index: number): Promise<string> {
  const target = join(folder, `${index}.wav`);
  await Bun.$`ffmpeg -v error -y -t ${sec} -i ${path} -ac 2 -ar ${RATE_HZ} -c:a pcm_f32le ${target}`;
  return target;
}

/** Edits a decoded piece and hears it as the program does. `other`: a second piece for edits that need one. */
export async function hear(
  { folder, keep }: Hearing,
  { path, name, other, lengthSec }: { path: string; name: string; other: string; lengthSec: number },
  edit: Edit | undefined,
): Promise<Heard> {
  const kept =
    keep && join(keep, `${Bun.hash(`${name} ${lengthSec} ${edit?.name} ${edit?.filter(lengthSec)}`)}`);
  if (kept && existsSync(kept)) return deserialize(await Bun.file(kept).arrayBuffer()) as Heard;
  const heard = edit?.isTraced
    ? await trace(path, edit.filter(lengthSec))
    : await listen(edit ? await edited(folder, { path, other, lengthSec }, edit) : path, edit);
  if (kept) await Bun.write(kept, serialize(heard));
  return heard;
}

type Source = { path: string; other: string; lengthSec: number };
async function edited(folder: string, { path, other, lengthSec }: Source, edit: Edit): Promise<string> {
  const target = join(folder, `edited.${edit.codec?.ending ?? "wav"}`);
  const codec = edit.codec?.options ?? ["-c:a", "pcm_s24le"];
  const filter = edit.filter(lengthSec);
  const inputs = filter.includes("[1]") ? ["-i", path, "-i", other] : ["-i", path];
  await Bun.$`ffmpeg -v error -y ${inputs} -filter_complex ${filter} -map [o] ${codec} ${target}`;
  return target;
}

async function listen(path: string, edit: Edit | undefined): Promise<Heard> {
  const [rateHz, channels] = [edit?.rateHz ?? RATE_HZ, edit?.channels ?? 2];
  const raw = await Bun.$`ffmpeg -v error -i ${path} -f f32le -ac ${channels} -ar ${rateHz} -`
    .quiet()
    .arrayBuffer();
  return analysed(new Float32Array(raw), rateHz, channels);
}

function analysed(samples: Float32Array, sampleRateHz: number, channels: number): Heard {
  const analyzer = createAnalyzer({ sampleRateHz, channels });
  const step = channels * sampleRateHz;
  for (let at = 0; at < samples.length; at += step) analyzer.push(samples.subarray(at, at + step));
  const { fingerprint, levels, durationSec } = analyzer.finish();
  return { fingerprint, levels, lengthSec: durationSec };
}

/** Two more channels, too soft to matter, say which second it is: the second times this, and this, which shows what a filter made of it. */
const TRACE = 1e-6;
const TRACED_PER_SEC = 100;

async function trace(path: string, filter: string): Promise<Heard> {
  const stereo = new Float32Array(await Bun.$`ffmpeg -v error -i ${path} -f f32le -`.quiet().arrayBuffer());
  const input = new Float32Array(2 * stereo.length);
  for (let frame = 0; frame < stereo.length / 2; frame++) {
    input.set(stereo.subarray(2 * frame, 2 * frame + 2), 4 * frame);
    input.set([(frame / RATE_HZ) * TRACE, TRACE], 4 * frame + 2);
  }
  const format = ["-f", "f32le", "-ar", String(RATE_HZ), "-ac", "4"];
  const running = Bun.spawn(
    ["ffmpeg", "-v", "error", ...format, "-i", "-", "-filter_complex", filter, "-map", "[o]", ...format, "-"],
    { stdin: new Blob([input]), stdout: "pipe", stderr: "inherit" },
  );
  const output = new Float32Array(await new Response(running.stdout).arrayBuffer());
  const frames = output.length / 4;
  const edited = new Float32Array(2 * frames);
  for (let frame = 0; frame < frames; frame++)
    edited.set(output.subarray(4 * frame, 4 * frame + 2), 2 * frame);
  const step = RATE_HZ / TRACED_PER_SEC;
  const secondAt = (frame: number) => (output[4 * frame + 2] as number) / (output[4 * frame + 3] as number);
  const traced = Float32Array.from({ length: Math.floor(frames / step) }, (_, i) => secondAt(i * step));
  return { ...analysed(edited, RATE_HZ, 2), traced };
}

/** Returns where a second of the piece sounds in a traced edit. */
export function tracedAt(traced: Float32Array, sec: number): number | undefined {
  const after = traced.findIndex((each) => each >= sec);
  if (after < 1) return undefined;
  const [before, next] = [traced[after - 1] as number, traced[after] as number];
  return (after - 1 + (sec - before) / (next - before)) / TRACED_PER_SEC;
}
