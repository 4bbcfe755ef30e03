import { bundleBrowserFiles } from "./bundle.ts";
import icon from "./icon.svg" with { type: "text" };

/** A file that pages load, in the three encodings that browsers accept. */
export type Asset = {
  /** Named for its content: `main.4f1c9a2b73d0.css`. */
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  gzip: Uint8Array;
  brotli: Uint8Array;
};

/** The files by their names in the sources: `main.css`, `player.js`, `icon.svg`. */
export type Assets = ReadonlyMap<string, Asset>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

let loading: Promise<Assets> | undefined;

/** Returns the files of the pages. The first call builds them; they are then kept in memory, compressed. */
export function loadAssets(): Promise<Assets> {
  loading ??= makeAssets();
  return loading;
}

async function makeAssets(): Promise<Assets> {
  const files = [...(await bundleBrowserFiles()), { name: "icon.svg", text: icon }];
  return new Map(
    await Promise.all(files.map(async ({ name, text }) => [name, await toAsset(name, text)] as const)),
  );
}

async function toAsset(name: string, text: string): Promise<Asset> {
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 12);
  return packAsset(name.replace(/(?=\.\w+$)/, `.${hash}`), text);
}

/** Returns a file that is served under `name`, in the three forms. */
export async function packAsset(name: string, text: string): Promise<Asset> {
  const bytes = new TextEncoder().encode(text);
  const { toBrotli, toGzip } = await import("./compress.ts");
  const [zipped, brotli] = await Promise.all([toGzip(bytes, 9), toBrotli(bytes, 11)]);
  const mediaType = MEDIA_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return { name, mediaType, bytes, gzip: zipped, brotli };
}
