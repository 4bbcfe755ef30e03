import { createMarker } from "../../src/audio/watermark/embed.ts";
import { codeOf, patternOf } from "../../src/audio/watermark/pattern.ts";
import { SAMPLE_RATE_HZ, type Stereo } from "../../src/demo/dsp/audio.ts";
import { longMix, PIECE_SEC } from "./analysis.ts";
import { atLeast, type Figure, median } from "./figures.ts";

const ROUNDS = 6;
const AIM = 200;

/**
 * Measures how many seconds of a four-minute piece are marked in a second of processor time, all threads counted. A copy is made in
 * a process of its own, so the first one counts: it makes the pattern, and its code is not compiled yet.
 */
export async function benchMarking({ quick }: { quick: boolean }): Promise<Figure[]> {
  const piece = longMix(quick ? PIECE_SEC / 8 : PIECE_SEC);
  const [first = Number.NaN, ...others] = Array.from({ length: ROUNDS }, (_, round) =>
    timesRealTime(piece, round),
  );
  return [
    {
      what: `${quick ? "half a minute" : "four minutes"} marked, the first time in a process`,
      figure: `${first.toFixed(0)}x real time`,
      yardstick: `then ${median(others).toFixed(0)}x`,
      aim: atLeast(first, AIM),
    },
  ];
}

function timesRealTime({ left, right }: Stereo, round: number): number {
  const began = process.cpuUsage();
  const pattern = patternOf(new Uint8Array(32));
  const code = codeOf(new Uint8Array(16).fill(round));
  const marker = createMarker({ sampleRateHz: SAMPLE_RATE_HZ, channels: 2, pattern, code }, () => undefined);
  for (let from = 0; from < left.length; from += SAMPLE_RATE_HZ) {
    const planes = [left, right].map((plane) => plane.subarray(from, from + SAMPLE_RATE_HZ));
    marker.push(planes, planes[0]?.length ?? 0);
  }
  marker.finish();
  const { user, system } = process.cpuUsage(began);
  return left.length / SAMPLE_RATE_HZ / ((user + system) / 1e6);
}
