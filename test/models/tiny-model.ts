import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../src/modules/models/service.ts";
import { audioGraph, textGraph } from "./onnx-graph.ts";

const DIM = 2;
const BANDS = 64;
const DARK = [1, -1];
const BRIGHT = [-1, 1];

/** A tokenizer that knows two words beside the single bytes, in the shape of a `tokenizer.json`. */
export function tinyTokenizer(): { json: string; vocabulary: Record<string, number> } {
  const vocabulary: Record<string, number> = { "<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3 };
  const add = (piece: string) => {
    vocabulary[piece] ??= Object.keys(vocabulary).length;
  };
  for (let code = 33; code < 127; code++) add(String.fromCodePoint(code));
  add("Ġ");
  const merges: string[] = [];
  for (const word of ["dark", "bright"]) {
    let piece = word[0] ?? "";
    for (const letter of word.slice(1)) {
      merges.push(`${piece} ${letter}`);
      piece += letter;
      add(piece);
    }
    merges.push(`Ġ ${word}`);
    add(`Ġ${word}`);
  }
  return { json: JSON.stringify({ model: { type: "BPE", vocab: vocabulary, merges } }), vocabulary };
}

/**
 * Returns the files of a model that tells dark from bright: power in the lower half of the bands against the upper, and
 * the two words. The graphs are real ONNX.
 */
export function tinyModel(): { files: Record<string, Uint8Array>; manifest: Manifest } {
  const bands = Float32Array.from({ length: BANDS * DIM }, (_, i) => {
    const isLow = Math.floor(i / DIM) < BANDS / 2;
    return (isLow ? 1 : -1) * (i % DIM === 0 ? 1 : -1) * (2 / BANDS);
  });
  const { json, vocabulary } = tinyTokenizer();
  const words = new Float32Array(Object.keys(vocabulary).length * DIM);
  for (const [word, vector] of [
    ["dark", DARK],
    ["bright", BRIGHT],
  ] as const)
    for (const piece of [word, `Ġ${word}`]) words.set(vector, (vocabulary[piece] ?? 0) * DIM);
  const files = {
    "audio.onnx": audioGraph(bands, DIM),
    "text.onnx": textGraph(words, DIM),
    "tokenizer.json": new TextEncoder().encode(json),
  };
  const manifest: Manifest = {
    id: "clap",
    version: "tiny-1",
    dim: DIM,
    audio: { file: "audio.onnx", input: "input_features", output: "audio_embeds" },
    text: {
      file: "text.onnx",
      ids: "input_ids",
      mask: "attention_mask",
      output: "text_embeds",
      tokenizer: "tokenizer.json",
      maxTokens: 77,
    },
    files: Object.entries(files).map(([name, bytes]) => ({ name, sha256: sha256(bytes) })),
  };
  return { files, manifest };
}

/** Puts the model into a library by hand. */
export function placeModel(dataDir: string, { files, manifest }: ReturnType<typeof tinyModel>): void {
  const folder = join(dataDir, "models", manifest.id);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
}

export const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
