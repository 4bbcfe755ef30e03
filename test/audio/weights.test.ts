import { expect, test } from "bun:test";
import { KEY_EVIDENCE } from "../../src/audio/key-evidence.ts";
import { KEY_WEIGHTS } from "../../src/audio/key-weights.ts";
import { evidenceNames } from "../../src/audio/tempo-evidence.ts";
import { TEMPO_WEIGHTS } from "../../src/audio/tempo-weights.ts";

test("every kind of evidence has its weight, and each weight its name", async () => {
  const named = async (file: string) =>
    [
      ...(await Bun.file(`${import.meta.dir}/../../src/audio/${file}`).text()).matchAll(
        /^ {2}-?[\d.]+, \/\/ (.+)$/gm,
      ),
    ].map((match) => match[1]);

  expect(await named("tempo-weights.ts")).toEqual(evidenceNames());
  expect(await named("key-weights.ts")).toEqual([...KEY_EVIDENCE]);
  expect([...TEMPO_WEIGHTS, ...KEY_WEIGHTS].every(Number.isFinite)).toBe(true);
});
