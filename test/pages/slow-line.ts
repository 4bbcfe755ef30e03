const STEP_MS = 100;

/** A way to a server that gives files out at a pace of its own, as a slow connection does. */
export type SlowLine = {
  origin: string;
  /** So many bytes a second of each file from now on; 0: nothing comes, and the connection stays open. */
  setRate: (bytesPerSec: number) => void;
  /** Breaks off the files that are on their way. */
  cut: () => void;
  close: () => Promise<void>;
};

/** Puts a slow line before the server at `target`. What is no audio passes at once. */
export function createSlowLine(target: string, bytesPerSec: number): SlowLine {
  let rate = bytesPerSec;
  let cuts = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("accept-encoding", "identity");
      const { method } = request;
      const body = method === "POST" ? await request.bytes() : null;
      const answer = await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
      if (method !== "GET" || !pathname.includes("/listen/") || !answer.ok) return answer;
      const bytes = await answer.bytes();
      const paced = new Headers(answer.headers);
      paced.delete("content-length");
      return new Response(atPace(bytes), { status: answer.status, headers: paced });
    },
  });

  function atPace(bytes: Uint8Array): ReadableStream<Uint8Array> {
    const before = cuts;
    let sent = 0;
    return new ReadableStream({
      pull: async (controller) => {
        do await Bun.sleep(STEP_MS);
        while (rate === 0 && cuts === before);
        if (cuts > before) return controller.error();
        const next = sent + Math.round((rate * STEP_MS) / 1000);
        controller.enqueue(bytes.subarray(sent, next));
        sent = next;
        if (sent >= bytes.length) controller.close();
      },
    });
  }
  return {
    origin: `http://127.0.0.1:${server.port}`,
    setRate: (next) => {
      rate = next;
    },
    cut: () => {
      cuts++;
    },
    close: () => server.stop(true),
  };
}
