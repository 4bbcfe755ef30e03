import { SECOND_MS } from "../../kernel/time.ts";

/** How long a service may fall silent in the middle of a body. */
const SILENCE_MS = 30 * SECOND_MS;

/**
 * Passes a body on as it is asked for, and fails when the next piece does not come in time. The time does not run while
 * no reader asks. Cancelling the result calls `abort`, which ends the transfer.
 */
export function guardedBody(body: ReadableStream<Uint8Array>, abort: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const timer = setTimeout(abort, SILENCE_MS);
        try {
          const { value, done } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: () => {
        abort();
        reader.cancel().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
