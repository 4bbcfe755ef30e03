import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { alignFingerprints } from "../../src/audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../../src/audio/fingerprint/fingerprint-offset.ts";
import { alignSections, type Sound } from "../../src/audio/fingerprint/sections.ts";
import { SAMPLE_RATE_HZ } from "../../src/demo/dsp/audio.ts";
import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { atMost, type Figure, median } from "./figures.ts";

const PIECE_SEC = 240;
const AIM_MS = 20;
/** The first pairs are not counted: the code is compiled meanwhile. */
const WARM_UP = 10;
const SAMPLES = 20;

/**
 * Times how long it takes to lay a version of four minutes on another, by which notes are carried. Beside each: one offset for the
 * whole pair, as the comparison of two versions finds it.
 */
export function benchCarry({ quick }: { quick: boolean }): Figure[] {
  const piece = pieceOf(quick ? PIECE_SEC / 4 : PIECE_SEC);
  const at = (sec: number) => Math.round(sec * SAMPLE_RATE_HZ);
  const minutes = quick ? "a minute" : "four minutes";
  const original = hear(piece);
  const edits: [what: string, edited: Float32Array][] = [
    ["1.5 s off the start", piece.subarray(at(1.5))],
    ["8 s out of the middle", Float32Array.from([...piece.subarray(0, at(30)), ...piece.subarray(at(38))])],
    ["1 % faster", faster(piece, 1.01)],
  ];
  return edits.map(([what, edited]) => {
    const sound = hear(edited);
    const sections = timeOf(() => alignSections(original, sound));
    const whole = timeOf(() => oneOffset(original, sound));
    return {
      what: `${minutes}, ${what}: by section`,
      figure: `${sections.toFixed(1)} ms`,
      yardstick: `one offset for the whole ${whole.toFixed(1)} ms`,
      aim: atMost(sections, AIM_MS, "ms"),
    };
  });
}

function timeOf(work: () => unknown): number {
  for (let i = 0; i < WARM_UP; i++) work();
  const samples = Array.from({ length: SAMPLES }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return median(samples);
}

function oneOffset(one: Sound, other: Sound): number | undefined {
  const alignment = alignFingerprints(one.fingerprint, other.fingerprint);
  return alignment && refineOffset(one.levels, other.levels, alignment.offsetSec);
}

/** Returns demo pieces one after the other, mono, cut off after `seconds`. */
function pieceOf(seconds: number): Float32Array {
  const piece = new Float32Array(seconds * SAMPLE_RATE_HZ);
  let frame = 0;
  for (let index = 0; frame < piece.length; index++) {
    const next = DEMO_PIECES[index % DEMO_PIECES.length];
    if (!next) throw new Error("There are no demo pieces");
    const { left } = mixPiece(next);
    piece.set(left.subarray(0, piece.length - frame), frame);
    frame += left.length;
  }
  return piece;
}

/** Plays a recording faster, and by that higher. */
function faster(samples: Float32Array, speed: number): Float32Array {
  const out = new Float32Array(Math.floor((samples.length - 1) / speed));
  for (let i = 0; i < out.length; i++) {
    const before = Math.floor(i * speed);
    const [one, two] = [samples[before] ?? 0, samples[before + 1] ?? 0];
    out[i] = one + (i * speed - before) * (two - one);
  }
  return out;
}

function hear(samples: Float32Array): Sound {
  const analyzer = createAnalyzer({ sampleRateHz: SAMPLE_RATE_HZ, channels: 1 });
  for (let at = 0; at < samples.length; at += SAMPLE_RATE_HZ)
    analyzer.push(samples.subarray(at, at + SAMPLE_RATE_HZ));
  return analyzer.finish();
}
