import { route } from "../http/route.ts";
import type { Deps } from "../kernel/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { pageRootOf } from "../pages/paths.ts";

/** The icons of the installed console, by their names below `/icons/`. */
const ICONS: Readonly<Record<string, { sizePx: number; isOnPaper: boolean }>> = {
  "icon-192.png": { sizePx: 192, isOnPaper: false },
  "icon-512.png": { sizePx: 512, isOnPaper: false },
  "maskable-512.png": { sizePx: 512, isOnPaper: true },
  "touch-180.png": { sizePx: 180, isOnPaper: true },
};
const PURPOSES = { "icon-192.png": "any", "icon-512.png": "any", "maskable-512.png": "maskable" } as const;

/** What other apps may share with the console. */
const SHARED = ["audio/*", ".wav", ".aif", ".aiff", ".flac", ".mp3", ".m4a", ".ogg"];

/** `GET|HEAD /manifest.webmanifest` and `/icons/{name}`: with them, browsers offer to install the console. */
export const manifestRoutes = ({ settings }: Pick<Deps, "settings">) => {
  const root = pageRootOf(settings);
  const drawn = new Map<string, Uint8Array<ArrayBuffer>>();
  const draw = async (name: string) => {
    const icon = Object.hasOwn(ICONS, name) ? ICONS[name] : undefined;
    if (!icon) throw new DomainError("not_found", "There is nothing at this address");
    const known = drawn.get(name);
    if (known) return known;
    // Loaded at first use: it brings Node's streams.
    const { drawIcon } = await import("./icon-picture.ts");
    const bytes = drawIcon(icon.sizePx, icon.isOnPaper);
    drawn.set(name, bytes);
    return bytes;
  };
  return [
    route({
      at: "GET /manifest.webmanifest",
      run: () => fileOf(JSON.stringify(manifestOf(root)), "application/manifest+json"),
    }),
    route({
      at: "GET /icons/:name",
      run: async ({ params }) => fileOf(await draw(params.name), "image/png"),
    }),
  ];
};

/** @see W3C, "Web Application Manifest". */
function manifestOf(root: string) {
  return {
    id: `${root}/library`,
    name: "Dubplate",
    short_name: "Dubplate",
    description: "Your unreleased music: upload, analyse, find and share it",
    start_url: `${root}/library`,
    scope: `${root}/`,
    display: "standalone",
    background_color: "#faf9f7",
    theme_color: "#faf9f7",
    categories: ["music", "productivity"],
    icons: Object.entries(PURPOSES).map(([name, purpose]) => ({
      src: `${root}/icons/${name}`,
      sizes: name.replace(/^.*-(\d+)\.png$/, "$1x$1"),
      type: "image/png",
      purpose,
    })),
    shortcuts: [
      { name: "Search", url: `${root}/library/search` },
      { name: "Upload", url: `${root}/library/uploads` },
      { name: "Pocket", url: `${root}/library/pocket` },
    ],
    // The worker takes what is shared; see `worker/sw.ts`.
    share_target: {
      action: `${root}/library/share`,
      method: "POST",
      enctype: "multipart/form-data",
      params: { title: "title", text: "text", files: [{ name: "files", accept: SHARED }] },
    },
  };
}

function fileOf(body: string | Uint8Array<ArrayBuffer>, mediaType: string): Response {
  return new Response(body, {
    headers: {
      "content-type": mediaType,
      "cache-control": "public, max-age=86400",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'",
    },
  });
}
