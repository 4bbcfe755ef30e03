import { describe, expect, test } from "bun:test";
import { readSettings } from "../../src/config.ts";
import {
  bandEdgesHz,
  CLAP_BANDS,
  CLAP_FRAMES,
  CLAP_SAMPLE_RATE_HZ,
  clapLogMel,
  toSlaneyMel,
} from "../../src/modules/models/log-mel.ts";
import { readTokenizer } from "../../src/modules/models/tokenizer.ts";
import { noise, silence, sine } from "../support/signals.ts";
import { tinyTokenizer } from "./tiny-model.ts";

const bandOf = (mel: Float32Array, frame: number) =>
  mel.subarray(frame * CLAP_BANDS, (frame + 1) * CLAP_BANDS);
const loudest = (bands: Float32Array) => bands.indexOf(Math.max(...bands));

describe("the log-mel front end of CLAP", () => {
  test("uses Slaney's scale: 15 at 1 kHz, 27 more for each factor of 6.4", () => {
    expect(toSlaneyMel(500)).toBeCloseTo(7.5, 12);
    expect(toSlaneyMel(1000)).toBeCloseTo(15, 12);
    expect(toSlaneyMel(6400)).toBeCloseTo(42, 12);
    const edges = bandEdgesHz();
    expect([edges.length, edges[0], edges.at(-1)]).toEqual([
      66,
      expect.closeTo(50, 9),
      expect.closeTo(14_000, 6),
    ]);
  });

  test("gives 1001 frames of 64 bands, -100 dB for silence", () => {
    const mel = clapLogMel(silence(CLAP_SAMPLE_RATE_HZ, 10));

    expect(CLAP_FRAMES).toBe(1001);
    expect(mel.length).toBe(1001 * 64);
    expect(mel.every((value) => value === -100)).toBe(true);
  });

  test("hears white noise as the closed form has it", () => {
    // Mean power of a bin: variance times the window's energy, 3/8 of its length; a band of area 1 Hz over bins of
    // 46.875 Hz adds 1 / 46.875 of it.
    const amplitude = 0.5;
    const variance = amplitude ** 2 / 3;
    const expected = 10 * Math.log10((variance * 1024 * 0.375) / 46.875);
    const mel = clapLogMel(noise(CLAP_SAMPLE_RATE_HZ, 10, amplitude));

    const band = 55;
    let sum = 0;
    for (let frame = 0; frame < CLAP_FRAMES; frame++) sum += 10 ** ((bandOf(mel, frame)[band] ?? 0) / 10);

    expect(Math.abs(10 * Math.log10(sum / CLAP_FRAMES) - expected)).toBeLessThan(0.3);
  });

  test("hears a tone in the bands around it, all the time", () => {
    const mel = clapLogMel(sine(CLAP_SAMPLE_RATE_HZ, 10, 3000));
    const edges = bandEdgesHz();

    for (const frame of [0, 1, 500, 1000]) {
      const band = loudest(bandOf(mel, frame));
      expect(edges[band] ?? 0).toBeLessThan(3000);
      expect(edges[band + 2] ?? 0).toBeGreaterThan(3000);
    }
  });

  test("repeats what is short as often as it fits, then pads with silence", () => {
    const mel = clapLogMel(noise(CLAP_SAMPLE_RATE_HZ, 3));

    expect(bandOf(mel, 150)).toEqual(bandOf(mel, 450));
    expect(Math.max(...bandOf(mel, 850))).toBeGreaterThan(-100);
    expect(Math.max(...bandOf(mel, 950))).toBe(-100);
  });
});

describe("the tokenizer", () => {
  const { json, vocabulary } = tinyTokenizer();
  const read = readTokenizer(json, 8);
  const numbers = (...pieces: string[]) => pieces.map((piece) => vocabulary[piece] ?? -1);

  test("joins the pairs that were learnt, a blank before a word with it", () => {
    expect(read("dark bright")).toEqual(numbers("<s>", "dark", "Ġbright", "</s>"));
    expect(read("darker")).toEqual(numbers("<s>", "dark", "e", "r", "</s>"));
  });

  test("writes a byte that it has no letter for as unknown, and keeps to the length", () => {
    expect(read("é")).toEqual(numbers("<s>", "<unk>", "<unk>", "</s>"));
    expect(read("abcdefghijklm")).toEqual(numbers("<s>", "a", "b", "c", "d", "e", "f", "</s>"));
    expect(read("")).toEqual(numbers("<s>", "</s>"));
  });

  test.each([
    ["no JSON", "{"],
    ["another kind of model", '{"model":{"type":"WordPiece","vocab":{}}}'],
  ])("refuses %s", (_, text) => {
    expect(() => readTokenizer(text, 8)).toThrow("tokenizer.json cannot be used");
  });
});

test("a model is off unless it is switched on, and an unknown one stops the start", () => {
  expect(readSettings({ MODEL_RUNTIME: "/opt/runtime" }).model).toBeUndefined();
  expect(readSettings({ MODEL_PROVIDER: "clap", MODEL_RUNTIME: "/opt/runtime" }).model).toEqual({
    provider: "clap",
    runtime: "/opt/runtime",
  });
  expect(() => readSettings({ MODEL_PROVIDER: "bert" })).toThrow("MODEL_PROVIDER must be one of: off, clap");
});
