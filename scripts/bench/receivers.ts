/** What the receivers of webhooks are started with. */
export type ReceiversOptions = { port: number; ports: readonly number[] };

/**
 * Listens on `ports` as so many receivers that answer 204 at once, and on `port` tells at `/count` how many deliveries
 * came in all.
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
