import { expect, test } from "bun:test";
import { findTag } from "../../db/taxonomy.ts";
import { createInstruments, MOST_WIDTHS } from "../../src/ears/instruments.ts";
import { INSTRUMENT_TENSORS, POOLED } from "../../src/ears/layout.ts";
import { HEARD_GENRES, HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import { readInstrumentWeights } from "../../src/ears/weights.ts";

test("instruments are sums of what both networks pooled, in widths and within limits", () => {
  const tensors = new Map(INSTRUMENT_TENSORS.map(({ name, length }) => [name, new Float32Array(length)]));
  tensors.get("centre")?.fill(1);
  tensors.get("width")?.fill(2);
  tensors.get("names.bias")?.fill(-1);
  const kernel = tensors.get("names.kernel") ?? new Float32Array(0);
  // The first name counts the second network's last number, the second name the first network's first.
  kernel[kernel.length - HEARD_NAMES.length] = 1;
  kernel[1] = 0.5;
  const instruments = createInstruments((name) => tensors.get(name) ?? new Float32Array(0));
  const [first, second] = [new Float32Array(POOLED).fill(1), new Float32Array(POOLED).fill(1)];
  [first[0], second[POOLED - 1]] = [5, 1000];

  const [a, b, ...others] = instruments([first, second]);

  expect([a, b]).toEqual([MOST_WIDTHS - 1, 0]);
  expect(new Set(others)).toEqual(new Set([-1]));
});

test("all that the network of instruments hears counts for each name", () => {
  const tensors = new Map(INSTRUMENT_TENSORS.map(({ name, length }) => [name, new Float32Array(length)]));
  tensors.get("width")?.fill(1);
  // The first name counts what is heard of itself and of the second one.
  tensors.get("network.kernel")?.set([0.5]);
  tensors.get("network.kernel")?.set([0.25], HEARD_NAMES.length);
  const instruments = createInstruments((name) => tensors.get(name) ?? new Float32Array(0));
  const pooled = [new Float32Array(POOLED), new Float32Array(POOLED)];

  const heard = instruments(pooled, new Float32Array(HEARD_INSTRUMENTS.length).fill(2));

  expect([...heard]).toEqual(HEARD_NAMES.map((_, i) => [1.5][i] ?? 0));
});

test("the file of weights is as long as its tensors, and every name is in the taxonomy", async () => {
  const weights = await readInstrumentWeights();

  for (const { name, length } of INSTRUMENT_TENSORS) {
    expect(weights(name)).toHaveLength(length);
    expect(weights(name).every(Number.isFinite)).toBe(true);
  }
  for (const name of HEARD_INSTRUMENTS) expect(findTag("instruments", name)?.name).toBe(name);
  for (const name of HEARD_GENRES) expect(findTag("genres", name)?.name).toBe(name);
});
