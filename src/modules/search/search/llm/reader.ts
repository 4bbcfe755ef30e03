import { Value } from "@sinclair/typebox/value";
import { TAXONOMY_VERSION } from "../../../../../db/taxonomy.ts";
import type { Interpretation } from "../../../../brief/interpretation.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import { postJson } from "../../../../net/post-json.ts";
import { createBreaker } from "./breaker.ts";
import { mergeReading } from "./merge.ts";
import { INSTRUCTIONS, READING_SCHEMA, Reading } from "./reading.ts";

/** Time limit from the first byte sent to the last one read. */
const TIMEOUT_MS = 2 * SECOND_MS;
const MAX_ANSWER_BYTES = 64 * 1024;
/** The number of readings to remember, the most recently used ones. */
const CACHE_SIZE = 500;

/** How a brief was read, as shown in `appliedTuning.parser`. */
export type Parser = {
  /** `rules+model` when it includes a language model's reading. */
  name: "rules" | "rules+model";
  model: string;
  /** Number of tags that the model added, and of its names that were dropped as unknown or too many. */
  added?: number;
  dropped?: number;
  /** Why the model's reading was not used. */
  fallback?: "unavailable" | "timeout" | "refused" | "invalid_answer" | "paused";
};

/** Reads a brief once more with a language model. Throws only when the caller aborts. */
export type ReadWithModel = (
  query: string,
  brief: Interpretation,
  signal: AbortSignal,
) => Promise<{ brief: Interpretation; parser: Parser }>;

/**
 * Returns a reader that asks the operator's OpenAI-compatible endpoint, or undefined when the operator set none. Only
 * the brief leaves the server. After any failure the rules' reading is used and `parser.fallback` says why; after three
 * failures in a row the endpoint is not asked for a minute.
 */
export function createModelReader({
  settings,
  now,
  log,
}: Pick<Deps, "settings" | "now" | "log">): ReadWithModel | undefined {
  const { languageModel } = settings;
  if (!languageModel) return undefined;
  const { url, model, apiKey } = languageModel;
  const breaker = createBreaker(now);
  const cache = new Map<string, Reading>();

  const ask = async (
    query: string,
    signal: AbortSignal,
  ): Promise<Reading | NonNullable<Parser["fallback"]>> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const answer = await postJson(`${url}/chat/completions`, requestOf(model, query), {
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        maxBytes: MAX_ANSWER_BYTES,
        signal: AbortSignal.any([signal, timeout]),
      });
      if (answer.status !== 200) return "refused";
      return readingOf(answer.text) ?? "invalid_answer";
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return "timeout";
      log("debug", "The language model could not be reached", { error });
      return "unavailable";
    }
  };

  return async (query, brief, signal) => {
    const cacheKey = `${TAXONOMY_VERSION} ${query.trim()}`;
    const known = cache.get(cacheKey);
    if (!known && !breaker.admit()) return { brief, parser: { name: "rules", model, fallback: "paused" } };
    const reading = known ?? (await ask(query, signal).catch(withdraw));
    if (typeof reading === "string") {
      breaker.failed();
      log("warn", "The language model's reading was not used", { fallback: reading });
      return { brief, parser: { name: "rules", model, fallback: reading } };
    }
    if (!known) breaker.succeeded();
    remember(cache, cacheKey, reading);
    const { brief: merged, added, dropped } = mergeReading(brief, reading);
    return { brief: merged, parser: { name: "rules+model", model, added, dropped } };
  };

  function withdraw(reason: unknown): never {
    breaker.withdrew();
    throw reason;
  }
}

function requestOf(model: string, query: string) {
  return {
    model,
    temperature: 0,
    messages: [
      { role: "system", content: INSTRUCTIONS },
      { role: "user", content: query },
    ],
    response_format: {
      type: "json_schema",
      json_schema: { name: "brief", strict: true, schema: READING_SCHEMA },
    },
  };
}

/** Returns the reading in a chat completion, or undefined for anything else. */
function readingOf(text: string): Reading | undefined {
  try {
    const content: unknown = JSON.parse(text)?.choices?.[0]?.message?.content;
    const reading: unknown = typeof content === "string" ? JSON.parse(content) : undefined;
    return Value.Check(Reading, reading) ? reading : undefined;
  } catch {
    return undefined;
  }
}

/** Adds a reading as the newest entry, and drops the oldest one when the cache is full. */
function remember(cache: Map<string, Reading>, key: string, reading: Reading): void {
  cache.delete(key);
  cache.set(key, reading);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}
