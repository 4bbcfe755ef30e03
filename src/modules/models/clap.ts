import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { CLAP_SAMPLE_RATE_HZ } from "./log-mel.ts";
import type { Manifest } from "./manifest.ts";
import { createModelProcess } from "./process.ts";
import { PROMPTS, PROMPTS_VERSION } from "./prompts.ts";
import { type ModelProvider, ModelUnavailableError } from "./provider.ts";

const LISTENING = { sampleRateHz: CLAP_SAMPLE_RATE_HZ, passageSec: 10, mostPassages: 6 };
/** Prompts a question, so that a search need not wait for all of them. */
const PROMPT_BATCH = 16;

/** Returns a CLAP model (Contrastive Language-Audio Pretraining, without fusion) of ONNX graphs in a folder. */
export function createClapProvider(
  command: readonly string[],
  { folder, manifest, runtime }: { folder: string; manifest: Manifest; runtime: string | null },
): ModelProvider {
  const model = createModelProcess(command, { folder, manifest, runtime });
  let names: Promise<Float32Array[]> | undefined;

  const readTexts = async (texts: string[], signal: AbortSignal) =>
    (await model.ask({ kind: "text", texts }, signal)).map(unit);

  const nameVectors = async (signal: AbortSignal): Promise<Float32Array[]> => {
    const cache = join(folder, `${PROMPTS_VERSION}.${Bun.hash(manifest.version).toString(36)}.bin`);
    const kept = await readVectors(cache, manifest.dim);
    if (kept) return kept;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < PROMPTS.length; from += PROMPT_BATCH) {
      const texts = PROMPTS.slice(from, from + PROMPT_BATCH).map(({ text }) => text);
      vectors.push(...(await readTexts(texts, signal)));
    }
    await writeVectors(cache, vectors);
    return vectors;
  };

  return {
    id: manifest.id,
    version: manifest.version,
    dim: manifest.dim,
    listening: LISTENING,
    async embed(passages, signal) {
      if (passages.length === 0) throw new ModelUnavailableError("There is nothing to hear");
      const vectors = await model.ask({ kind: "audio", passages: [...passages] }, signal);
      const sum = new Float32Array(manifest.dim);
      for (const vector of vectors.map(unit))
        for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value;
      return unit(sum);
    },
    async embedText(text, signal) {
      const [vector] = await readTexts([text], signal);
      return vector ?? new Float32Array(manifest.dim);
    },
    async tags(embedding, signal) {
      names ??= nameVectors(signal);
      const vectors = await names.catch((error) => {
        names = undefined;
        throw error;
      });
      return PROMPTS.map(({ id }, i) => ({ tagId: id, cosine: dot(embedding, vectors[i]) }));
    },
    close: model.close,
  };
}

/** Of length 1; what has no length stays as it is, and is like nothing. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector.map(() => 0);
}

function dot(a: Float32Array, b: Float32Array = new Float32Array(0)): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

async function readVectors(path: string, dim: number): Promise<Float32Array[] | undefined> {
  if (!existsSync(path)) return undefined;
  const all = new Float32Array(await Bun.file(path).arrayBuffer());
  if (all.length !== PROMPTS.length * dim) return undefined;
  return PROMPTS.map((_, i) => all.subarray(i * dim, (i + 1) * dim));
}

async function writeVectors(path: string, vectors: readonly Float32Array[]): Promise<void> {
  await Bun.write(`${path}.new`, new Blob(vectors.map((vector) => new Uint8Array(vector.slice().buffer))));
  await rename(`${path}.new`, path);
}
