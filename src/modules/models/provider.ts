/** Sound as a model wants to hear it: passages of one recording, mono, full scale 1. */
export type Passages = readonly Float32Array[];

/** What a model hears: how it is to be cut from a recording. */
export type Listening = { sampleRateHz: number; passageSec: number; mostPassages: number };

/** A tag of the taxonomy and how near a sound is to its name: a cosine, -1 to 1, not a probability. */
export type TagCosine = { tagId: string; cosine: number };

/**
 * A learned model. Vectors are float32 of length 1 (L2); those of different ids or versions must never be compared.
 * Every call throws ModelUnavailableError when the model cannot answer; nothing else depends on it.
 */
export type ModelProvider = {
  readonly id: string;
  /** Of the weights: changes whenever vectors mean something else. */
  readonly version: string;
  readonly dim: number;
  readonly listening: Listening;
  /** Returns where a recording lies; the mean direction of its passages. */
  embed(passages: Passages, signal: AbortSignal): Promise<Float32Array>;
  /** Returns where words lie, in the same space; left out by models that know no words. */
  embedText?(text: string, signal: AbortSignal): Promise<Float32Array>;
  /** Returns how near an embedding is to the names of tags; left out as above. */
  tags?(embedding: Float32Array, signal: AbortSignal): Promise<TagCosine[]>;
  /** Lets go of the model; the next call loads it again. */
  close(): void;
};

/** The model cannot answer; `message` says why, for the operator. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
}
