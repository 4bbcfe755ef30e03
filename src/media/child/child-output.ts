/** A child's output, piece by piece. */
export type ByteSource = {
  /** Returns the next piece; `done` at the end, whatever the cause. */
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  /** Releases the pipe. A waiting read then gets `done`. */
  cancel: () => void;
};

const STALL_CHECK_MS = 250;

/**
 * Reads a child's pipe. Bun 1.4 sometimes does not report the pipe's end when a process was killed. After the child
 * has ended no read should wait, so a read that still waits is ended here.
 */
export function readOutput(stdout: ReadableStream<Uint8Array>, exited: Promise<unknown>): ByteSource {
  const reader = stdout.getReader();
  let waiting = 0;
  let reads = 0;
  let stallCheck: ReturnType<typeof setInterval> | undefined;
  const cancel = (): void => {
    clearInterval(stallCheck);
    // A failed pipe counts as released.
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
