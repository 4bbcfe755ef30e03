/** A child's output, piece by piece. */
export type ByteSource = {
  /** The next piece; `done` at the end, whatever ended it. */
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  /** Lets go of the pipe; a read that waits then gets `done`. */
  cancel: () => void;
};

const STALL_CHECK_MS = 250;

/**
 * Reads a child's pipe. Once the child is gone a read cannot have to wait: one that does has missed the
 * pipe's end, which Bun 1.4 sometimes does not report for a process that was killed, and is ended here.
 */
export function readOutput(stdout: ReadableStream<Uint8Array>, exited: Promise<unknown>): ByteSource {
  const reader = stdout.getReader();
  let waiting = 0;
  let reads = 0;
  let stallCheck: ReturnType<typeof setInterval> | undefined;
  const cancel = (): void => {
    clearInterval(stallCheck);
    // A pipe that failed is as good as one that was let go.
    reader.cancel().catch(() => undefined);
  };
  void exited.then(() => {
    let readsBefore = -1;
    stallCheck = setInterval(() => {
      if (waiting > 0 && reads === readsBefore) cancel();
      readsBefore = reads;
    }, STALL_CHECK_MS);
    stallCheck.unref();
  });
  const read: ByteSource["read"] = async () => {
    waiting += 1;
    reads += 1;
    try {
      const next = await reader.read();
      if (next.done) clearInterval(stallCheck);
      return next;
    } finally {
      waiting -= 1;
    }
  };
  return { read, cancel };
}
