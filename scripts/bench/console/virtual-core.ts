/** The yardstick of the table: rows of text, windowed by `@tanstack/virtual-core` in a page of nothing else. */
const pageOf = (rows: number) => `<!doctype html><html lang="en"><title>virtual-core</title>
<style>[role=grid]{height:100vh;overflow:auto;position:relative}[role=row]{position:absolute;height:48px;left:0;right:0;display:grid;grid-template-columns:repeat(6,1fr)}</style>
<body data-rows="${rows}"><div role="grid"><div></div></div><script type="module" src="/page.js"></script>`;

/** Serves a page with a virtual list of `rows` rows. */
export async function serveYardstick(rows: number): Promise<{ origin: string; stop: () => Promise<void> }> {
  const { outputs } = await Bun.build({
    entrypoints: [`${import.meta.dir}/virtual-core-page.js`],
    target: "browser",
    format: "esm",
    minify: true,
    throw: true,
  });
  const code = await outputs[0]?.text();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname === "/page.js"
        ? new Response(code ?? "", { headers: { "content-type": "text/javascript" } })
        : new Response(pageOf(rows), { headers: { "content-type": "text/html; charset=utf-8" } }),
  });
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
