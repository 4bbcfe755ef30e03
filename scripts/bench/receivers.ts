/** Options of the webhook receivers. */
export type ReceiversOptions = { port: number; ports: readonly number[] };

/**
 * Listens on each of `ports` as a receiver that answers 204 at once. On `port`, `/count` returns the total number
 * of deliveries.
 */
export function receivers({ port, ports }: ReceiversOptions): void {
  let count = 0;
  for (const each of ports)
    Bun.serve({
      hostname: "127.0.0.1",
      port: each,
      async fetch(request) {
        await request.arrayBuffer();
        count++;
        return new Response(null, { status: 204 });
      },
    });
  Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: ({ url }) => new Response(url.endsWith("/count") ? String(count) : "ok"),
  });
}
