import type { Manifest } from "./manifest.ts";

/** What a model's process is asked, over the channel between processes; it answers each with the same number. */
export type ToModel = { id: number } & (
  | { kind: "open"; folder: string; manifest: Manifest; runtime: string | null }
  /** Each passage a vector. */
  | { kind: "audio"; passages: Float32Array[] }
  /** Each text a vector. */
  | { kind: "text"; texts: string[] }
);
/** What it answers; vectors as the graph gives them, not of length 1 yet. */
export type FromModel = { id: number } & (
  | { ok: true; vectors: Float32Array[] }
  | { ok: false; reason: string }
);
