const STEP_MS = 100;

/** A proxy that serves files at a limited rate, like a slow connection. */
export type SlowLine = {
  origin: string;
  /** Limits each file to this many bytes per second. With 0, nothing arrives and the connection stays open. */
  setRate: (bytesPerSec: number) => void;
  /** Aborts the files under way. */
  cut: () => void;
  close: () => Promise<void>;
};

/** Makes a slow line to the server at `target`. Everything except audio passes at full speed. */
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
