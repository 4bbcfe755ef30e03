/** @jsxRuntime automatic @jsxImportSource preact */
import { isUnchanged } from "../http/files/range.ts";
import { route } from "../http/route.ts";
import type { Deps } from "../kernel/deps.ts";
import { type ConsoleFiles, loadConsoleFiles } from "../pages/console-files.ts";
import { pageRootOf } from "../pages/paths.ts";
import { htmlResponse, redirect } from "../pages/respond.ts";
import { OfflineShell } from "./shell.tsx";

/**
 * `GET /library/sw.js` and `GET /library/offline`: the worker of the installed console, and the document that it answers with
 * while the server cannot be reached. Both are the same for everybody and need no session. `POST /library/share` is the worker's: what arrives
 * here came where there is none, and is not read.
 */
export const workerRoutes = ({ settings }: Pick<Deps, "settings">) => {
  const root = pageRootOf(settings);
  return [
    route({
      at: "GET /library/sw.js",
      run: async ({ request }) => scriptResponse(request, root, await loadConsoleFiles()),
    }),
    route({
      at: "GET /library/offline",
      run: async ({ request }) =>
        htmlResponse(<OfflineShell root={root} files={await loadConsoleFiles()} />, {
          imgSrc: ["blob:"],
          mediaSrc: ["blob:"],
          manifestSrc: ["'self'"],
          acceptEncoding: request.headers.get("accept-encoding"),
        }),
    }),
    route({ at: "POST /library/share", run: () => redirect(`${root}/library/uploads?shared=lost`) }),
  ];
};

/** A worker's own policy governs its requests. It may control `/library` itself, not only what is below. */
function scriptResponse({ headers: asked }: Request, root: string, files: ConsoleFiles): Response {
  const script = scriptOf(root, files);
  const etag = `"${hashOf(script)}"`;
  const headers = new Headers({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
    etag,
    "service-worker-allowed": `${root}/library`,
    "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  if (isUnchanged(asked, { etag, lastModifiedAt: Number.POSITIVE_INFINITY }))
    return new Response(null, { status: 304, headers });
  return new Response(script, { headers });
}

/** The worker with what it keeps for itself. Another document has other files, whose names are of their contents. */
function scriptOf(root: string, { offline, icon, parts, worker }: ConsoleFiles): string {
  const files = [offline.script, offline.style, icon, ...parts].map((name) => `${root}/assets/${name}`);
  const build = hashOf(JSON.stringify([root, files]));
  const shell = { root, build, document: `${root}/library/offline`, files };
  return `const SHELL = ${JSON.stringify(shell)};\n${worker}`;
}

const hashOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 12);
