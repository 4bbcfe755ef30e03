import { type Asset, JOINER, loadAssets, packAsset, withParts } from "./assets.ts";
import { bundleConsole } from "./bundle.ts";

/** What the console's document loads, by the names in `/assets/`. */
export type ConsoleFiles = {
  script: string;
  style: string;
  icon: string;
  /** The parts that a screen begins with, by its id: the browser fetches them together with the script. */
  needs: Readonly<Record<string, readonly string[]>>;
  offline: { script: string; style: string };
  /** The names of the fonts, and of what joins tracks. */
  parts: readonly string[];
  worker: string;
  assets: ReadonlyMap<string, Asset>;
};

/** A name that only a file of the console has. */
export const CONSOLE_NAME = /^console-\w+\.\w+$/;

let loading: Promise<ConsoleFiles> | undefined;

/** Returns the files of the console; they are made when first asked for, and kept compressed in memory. */
export function loadConsoleFiles(): Promise<ConsoleFiles> {
  loading ??= makeConsoleFiles();
  return loading;
}

async function makeConsoleFiles(): Promise<ConsoleFiles> {
  const { script, style, files, needs, offline, worker } = await bundleConsole();
  const pages = await loadAssets();
  const parts = [...pages].filter(([name]) => name.endsWith(".woff2") || name === JOINER);
  const assets = await Promise.all(
    files.map(async ({ name, text }) => [name, await packAsset(name, withParts(text, parts))] as const),
  );
  return {
    script,
    style,
    icon: pages.get("icon.svg")?.name ?? "",
    needs,
    offline,
    parts: parts.map(([, { name }]) => name),
    worker,
    assets: new Map(assets),
  };
}
