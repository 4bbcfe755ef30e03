import latinExt from "@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2" with {
  type: "file",
};
import latin from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2" with { type: "file" };
import { bundleBrowserFiles } from "./bundle.ts";
import icon from "./icon.svg" with { type: "text" };

/** A file that pages load, in the encodings that browsers accept. */
export type Asset = {
  /** Named for its content: `main.4f1c9a2b73d0.css`. */
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Undefined where it would not become smaller. */
  gzip: Uint8Array | undefined;
  brotli: Uint8Array | undefined;
};

/** The files by their names in the sources: `main.css`, `player.js`, `icon.svg`. */
export type Assets = ReadonlyMap<string, Asset>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The font of the pages, by the names that the style sheet has for its files. */
const FONTS: Readonly<Record<string, string>> = {
  "figtree-latin.woff2": latin,
  "figtree-latin-ext.woff2": latinExt,
};

/** Joins tracks; a script of its own, as audio worklets are. */
export const JOINER = "joiner.js";

let loading: Promise<Assets> | undefined;

/** Returns the files of the pages. The first call builds them; they are then kept in memory, compressed. */
export function loadAssets(): Promise<Assets> {
  loading ??= makeAssets();
  return loading;
}

async function makeAssets(): Promise<Assets> {
  const fonts = await Promise.all(
    Object.entries(FONTS).map(
      async ([name, path]) => [name, toFont(name, await Bun.file(path).bytes())] as const,
    ),
  );
  const bundled = await bundleBrowserFiles();
  const worklets = await Promise.all(
    bundled
      .filter(({ name }) => name === JOINER)
      .map(async ({ name, text }) => [name, await toAsset(name, text)] as const),
  );
  const files = [...bundled.filter(({ name }) => name !== JOINER), { name: "icon.svg", text: icon }];
  const parts = [...fonts, ...worklets];
  const texts = await Promise.all(
    files.map(async ({ name, text }) => [name, await toAsset(name, withParts(text, parts))] as const),
  );
  return new Map([...texts, ...parts]);
}

/** Returns a style sheet or script that asks for other files by their real names, which are relative to its own. */
export function withParts(text: string, parts: readonly (readonly [string, Asset])[]): string {
  return parts.reduce((named, [name, asset]) => named.replaceAll(name, asset.name), text);
}

/** A font is compressed already. */
function toFont(name: string, bytes: Uint8Array): Asset {
  const mediaType = MEDIA_TYPES.woff2 ?? "";
  return { name: contentName(name, bytes), mediaType, bytes, gzip: undefined, brotli: undefined };
}

const toAsset = (name: string, text: string) => packAsset(contentName(name, text), text);

function contentName(name: string, content: string | Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 12);
  return name.replace(/(?=\.\w+$)/, `.${hash}`);
}

/** Returns a file that is served under `name`, in the three forms. */
export async function packAsset(name: string, text: string): Promise<Asset> {
  const bytes = new TextEncoder().encode(text);
  const { toBrotli, toGzip } = await import("./compress.ts");
  const [zipped, brotli] = await Promise.all([toGzip(bytes, 9), toBrotli(bytes, 11)]);
  const mediaType = MEDIA_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return { name, mediaType, bytes, gzip: zipped, brotli };
}
