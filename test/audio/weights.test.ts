import { expect, test } from "bun:test";
import { KEY_EVIDENCE } from "../../src/audio/key/key-evidence.ts";
import { KEY_WEIGHTS } from "../../src/audio/key/key-weights.ts";
import { evidenceNames } from "../../src/audio/tempo/tempo-evidence.ts";
import { TEMPO_WEIGHTS } from "../../src/audio/tempo/tempo-weights.ts";

test.each([
  ["tempo/tempo-weights.ts", TEMPO_WEIGHTS, evidenceNames()],
  ["key/key-weights.ts", KEY_WEIGHTS, [...KEY_EVIDENCE]],
])("every kind of evidence has a row in %s, and each row has a name", async (file, weights, names) => {
  const text = await Bun.file(`${import.meta.dir}/../../src/audio/${file}`).text();
  const { gains, biases, rows } = weights;

  expect([...text.matchAll(/^ {4}\[.*\], \/\/ (.+)$/gm)].map((match) => match[1])).toEqual(names);
  expect(rows.map((row) => row.length)).toEqual(names.map(() => 1 + gains.length));
  expect(biases.length).toBe(gains.length);
  expect([...rows.flat(), ...gains, ...biases].every(Number.isFinite)).toBe(true);
});
