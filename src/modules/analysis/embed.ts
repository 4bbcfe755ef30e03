import { existsSync } from "node:fs";
import { type Db, transact } from "../../../db/client.ts";
import { blobPath } from "../../blobs/store.ts";
import type { JobHandler } from "../../jobs/job.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Deps } from "../../kernel/deps.ts";
import { SNIFF_BYTES, sniffAudio } from "../../media/sniff.ts";
import {
  findProvider,
  type ModelProvider,
  ModelUnavailableError,
  PROMPTS_VERSION,
} from "../models/service.ts";
import { refreshTracks } from "./learning/refresh.ts";
import {
  deleteModelVectors,
  findSubject,
  listUnheard,
  measuredSeconds,
  putModelVector,
  type Subject,
} from "./queries.ts";
import { SCORES_PROVIDER } from "./suggest/scored.ts";

/** The job in which a learned model hears a track's active version; payload `{ trackId }`. */
export const EMBED_JOB = "embed";
const MAX_ATTEMPTS = 3;

type EmbedDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/**
 * Deletes what a model made of a track and, if a model is enabled, queues the active version for it. Call it in the
 * transaction that stores an analysis.
 */
export function requestEmbedding(
  tx: Db,
  { settings }: Pick<Deps, "settings">,
  trackId: string,
  at: number,
): void {
  deleteModelVectors(tx, trackId);
  if (settings.model) promise(tx, trackId, at);
}

function promise(tx: Db, trackId: string, at: number): void {
  enqueue(tx, { name: EMBED_JOB, payload: { trackId }, uniqueKey: trackId, maxAttempts: MAX_ATTEMPTS }, at);
}

/** At startup, queues every analysed track that the model has not processed. Returns how many. */
export async function recoverEmbeddings(deps: EmbedDeps): Promise<number> {
  const provider = await findProvider(deps);
  if (!provider) return 0;
  return transact(deps.db, (tx) => {
    const trackIds = listUnheard(tx, { provider: provider.id, version: provider.version, job: EMBED_JOB });
    for (const trackId of trackIds) promise(tx, trackId, deps.now());
    return trackIds.length;
  });
}

/**
 * Returns the handler of {@link EMBED_JOB}: stores the model's vector and its similarity to each tag, and updates the
 * suggestions. Without a working model, the analysis stays as it is.
 */
export function embedHandler(deps: EmbedDeps): JobHandler {
  return async ({ trackId }, { signal }) => {
    const provider = await findProvider(deps);
    const subject = findSubject(deps.db, String(trackId));
    if (!provider || !subject) return;
    const heard = await hear(deps, provider, subject, signal);
    if (!heard) return;
    transact(deps.db, (tx) => {
      // If the audio has changed since, the new audio has its own job.
      if (findSubject(tx, subject.trackId)?.versionId !== subject.versionId) return;
      const { id, version } = provider;
      putModelVector(tx, subject.trackId, { provider: id, version, vector: heard.embedding });
      if (heard.scores) {
        const scores = { provider: SCORES_PROVIDER, version: PROMPTS_VERSION, vector: heard.scores };
        putModelVector(tx, subject.trackId, scores);
      }
    });
    refreshTracks(deps.db, subject.ownerId, [subject.trackId]);
  };
}

type Heard = { embedding: Float32Array; scores: Float32Array | undefined };

async function hear(
  deps: EmbedDeps,
  provider: ModelProvider,
  subject: Subject,
  signal: AbortSignal,
): Promise<Heard | undefined> {
  const path = blobPath(deps.settings, subject.sha256);
  const durationSec = measuredSeconds(deps.db, subject.versionId);
  if (durationSec === undefined || !existsSync(path)) return undefined;
  const format = sniffAudio(new Uint8Array(await Bun.file(path).slice(0, SNIFF_BYTES).arrayBuffer()));
  if (!format) return undefined;
  const { ffmpegPath, selfCommand } = deps;
  const request = { path, format, ffmpegPath, selfCommand, signal };
  const { readPassages } = await import("./passages.ts");
  try {
    const passages = await readPassages(request, durationSec, provider.listening);
    if (passages.length === 0) return undefined;
    const embedding = await provider.embed(passages, signal);
    const tags = await provider.tags?.(embedding, signal);
    return { embedding, scores: tags && unit(tags.map(({ cosine }) => cosine)) };
  } catch (error) {
    if (!(error instanceof ModelUnavailableError)) throw error;
    deps.log("warn", "The model could not process a track", {
      trackId: subject.trackId,
      reason: error.message,
    });
    throw error;
  }
}

/** Scales the scores to length 1, like every vector in the table; only their relative sizes matter. */
function unit(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values);
  return length > 0 ? Float32Array.from(values, (value) => value / length) : undefined;
}
