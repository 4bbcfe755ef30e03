import type { Deps } from "../../../kernel/deps.ts";
import type { Resolve } from "../../../net/address.ts";
import { PostError, postOnce } from "../../../net/post.ts";
import { bodyOf, deliveryIdOf, headersOf, type OutboxEvent, signatureOf } from "./message.ts";
import type { Receiver } from "./receivers.ts";
import { pauseMs, readRetryAfter } from "./schedule.ts";

const MAX_ANSWER_BYTES = 1024;

/** A delivery that is due. */
export type DueDelivery = OutboxEvent & {
  dueAt: number;
  /** Tries so far in the current schedule. */
  tries: number;
  /** All attempts so far. */
  attempts: number;
};

/** The outcome of an attempt. */
export type Outcome = {
  receiver: Receiver;
  delivery: DueDelivery;
  at: number;
  durationMs: number;
  signature: string;
  /** Null: no answer. */
  status: number | null;
  /** Why it failed, in words; null: it succeeded. */
  error: string | null;
  /** The wait that the receiver asked for; 0 when it asked for none. */
  retryAfterMs: number;
  /** End of the pause that the receiver asked for; 0 when it asked for none. */
  pausedUntil: number;
  /** The beginning of the answer's body. */
  response: string;
};

/** How attempts are made. */
export type AttemptOptions = { timeoutMs: number; signal: AbortSignal; resolve?: Resolve };

/**
 * Sends a delivery once.
 *
 * @throws Only the signal's reason, when the signal aborts.
 */
export async function attempt(
  deps: Pick<Deps, "settings" | "now">,
  receiver: Receiver,
  delivery: DueDelivery,
  options: AttemptOptions,
): Promise<Outcome> {
  const at = deps.now();
  const startedAt = performance.now();
  const body = bodyOf(delivery);
  const signature = signatureOf(receiver.secrets, delivery.id, at, body);
  const deliveryId = deliveryIdOf(delivery.id, receiver.ref);
  const base = { receiver, delivery, at, signature, retryAfterMs: 0, pausedUntil: 0, response: "" };
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    if (signature === "") throw new PostError("its signing secret cannot be opened: rotate it");
    const headers = headersOf(delivery, { deliveryId, at, signature });
    const answer = await postOnce(deps, receiver.url, {
      ...options,
      headers,
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    const isSuccess = answer.status >= 200 && answer.status < 300;
    const retryAfterMs = isSuccess ? 0 : readRetryAfter(answer.retryAfter, at);
    const pause = pauseMs(answer.status, retryAfterMs);
    return {
      ...base,
      status: answer.status,
      durationMs: durationMs(),
      error: isSuccess ? null : describe(answer.status),
      retryAfterMs,
      pausedUntil: pause > 0 ? deps.now() + pause : 0,
      response: new TextDecoder().decode(answer.body),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { ...base, status: null, durationMs: durationMs(), error: words };
  }
}

function describe(status: number): string {
  if (status >= 300 && status < 400) return `it redirects (${status}), which is not followed`;
  return `it answered with status ${status}`;
}
