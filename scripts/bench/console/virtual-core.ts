/** The yardstick of the table: rows of text, windowed by `@tanstack/virtual-core` in a page of nothing else. */
const PAGE = `<!doctype html><html lang="en"><title>virtual-core</title>
<style>[role=grid]{height:100vh;overflow:auto;position:relative}[role=row]{position:absolute;height:48px;left:0;right:0;display:grid;grid-template-columns:repeat(6,1fr)}</style>
<div role="grid"><div></div></div><script type="module" src="/page.js"></script>`;

const script = (rows: number) => `
  import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
  const box = document.querySelector('[role="grid"]');
  const body = box.firstElementChild;
  const draw = () => {
    body.style.height = virtualizer.getTotalSize() + "px";
    body.replaceChildren(...virtualizer.getVirtualItems().map(({ index, start }) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      row.style.transform = "translateY(" + start + "px)";
      for (const text of ["Piece number " + index, "Artist " + (index % 97), "v1", "120", "A minor", "3:20"]) {
        const cell = document.createElement("span");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }));
  };
  const virtualizer = new Virtualizer({
    count: ${rows}, estimateSize: () => 48, overscan: 6, getScrollElement: () => box,
    scrollToFn: elementScroll, observeElementRect, observeElementOffset, onChange: draw,
  });
  virtualizer._didMount();
  virtualizer._willUpdate();
  draw();`;

/** Serves a page with a virtual list of `rows` rows. */
export async function serveYardstick(rows: number): Promise<{ origin: string; stop: () => Promise<void> }> {
  const entry = `${import.meta.dir}/virtual-core-page.js`;
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: script(rows) },
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
        : new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } }),
  });
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
