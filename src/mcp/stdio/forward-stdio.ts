import { forward, type Upstream } from "./forward.ts";
import { type LineTransport, lineTransport } from "./line-transport.ts";

/** Returns a transport on this process's stdin and stdout. Runs on Node 20 too. */
export function stdioTransport(): LineTransport {
  return lineTransport(
    process.stdin,
    (line) =>
      new Promise((resolve, reject) => {
        process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
      }),
  );
}

/** Forwards messages from stdin to a running server until stdin ends. */
export async function forwardStdio(upstream: Upstream, transport = stdioTransport()): Promise<void> {
  forward(transport, upstream);
  await transport.start();
  await transport.ended;
}
