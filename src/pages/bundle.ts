import { basename, join } from "node:path";
import type { BunPlugin } from "bun";

/** A file that pages load, minified. */
export type BundledFile = { name: string; text: string };

/**
 * Entry points of the browser side: a style sheet, another for browsers without JavaScript, and a script for each
 * kind of page that needs one.
 */
const ENTRIES = [
  "styles/main.css",
  "styles/plain.css",
  "browser/opens.ts",
  "browser/player.ts",
  "browser/signin.ts",
  "browser/submit.ts",
  "playback/joiner.ts",
];

/** In a browser the shapes of a module are only its limits, the exported numbers and texts. Schemas stay on the server. */
const limitsOfShapes: BunPlugin = {
  name: "limits-of-shapes",
  setup: (build) => {
    build.onLoad({ filter: /[\\/]src[\\/]modules[\\/].*shapes\.ts$/ }, async ({ path }) => {
      const exported: Record<string, unknown> = await import(path);
      const limits = Object.entries(exported).filter(([, value]) => /^(number|string)$/.test(typeof value));
      const contents = limits.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: contents.join("\n"), loader: "js" };
    });
  },
};

/**
 * Bundles the style sheets and scripts. A checkout does this once, for the first page requested. The executable
 * contains the result, because `scripts/build.ts` replaces this module with it.
 *
 * @throws AggregateError when a source does not compile.
 */
export async function bundleBrowserFiles(): Promise<BundledFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(import.meta.dir, entry)),
    target: "browser",
    format: "iife",
    minify: true,
    // Named where they are served.
    external: ["*.woff2"],
    naming: "[name].[ext]",
    throw: true,
  });
  return Promise.all(
    outputs.map(async (output) => ({ name: output.path.replace(/^.*[\\/]/, ""), text: await output.text() })),
  );
}

/** The console's files: what its document loads, and the parts that its script loads later. */
export type ConsoleBundle = {
  script: string;
  style: string;
  files: BundledFile[];
  /** The files that the script and a screen cannot begin without, by the screen's id. */
  needs: Readonly<Record<string, readonly string[]>>;
  /** What the document for times without a connection loads, whole: an open one asks for no further part. */
  offline: { script: string; style: string };
  /** The service worker's script. */
  worker: string;
};

const CONSOLE = join(import.meta.dir, "../console/app");
/** The module that loads the screens, and how it names them. */
const SCREENS = "frame/screens.tsx";
const LOADER = /(\w+): \(\) => import\("([^"]+)"\)/g;

/**
 * Bundles the console. Its parts refer to each other by the names that the bundler gave them, so these are the names in
 * `/assets/` too. The one style sheet has the styles of every screen.
 *
 * @throws AggregateError as {@link bundleBrowserFiles}.
 */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [join(CONSOLE, "main.tsx")],
    plugins: [limitsOfShapes],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    metafile: true,
    // Named where they are served.
    external: ["*.woff2"],
    naming: { entry: "console-[hash].[ext]", chunk: "console-[hash].[ext]", asset: "console-[hash].[ext]" },
    throw: true,
  });
  const files = await Promise.all(
    outputs.map(async (output) => ({
      kind: output.kind,
      name: basename(output.path),
      text: await output.text(),
    })),
  );
  const script = files.find(({ kind }) => kind === "entry-point")?.name ?? "";
  // The bundler also writes each part's own styles, which the entry's sheet contains.
  const sheets = files
    .filter(({ name }) => name.endsWith(".css"))
    .sort((a, b) => b.text.length - a.text.length);
  const style = sheets[0]?.name ?? "";
  const loaded = files.filter(({ name }) => name.endsWith(".js") || name === style);
  const [offline, [worker]] = await Promise.all([
    bundleWhole("app/pocket/offline.tsx"),
    bundleWhole("worker/sw.ts"),
  ]);
  const [offlineScript = "", offlineStyle = ""] = [".js", ".css"].map(
    (kind) => offline.find(({ name }) => name.endsWith(kind))?.name,
  );
  const loaders = await Bun.file(join(CONSOLE, SCREENS)).text();
  const needs = [...loaders.matchAll(LOADER)].map(([, id = "", source = ""]) => [
    id,
    metafile ? needsOf(metafile, script, source) : [],
  ]);
  return {
    script,
    style,
    files: [...loaded.map(({ name, text }) => ({ name, text })), ...offline],
    needs: Object.fromEntries(needs),
    offline: { script: offlineScript, style: offlineStyle },
    worker: worker?.text ?? "",
  };
}

/** Bundles a script that loads no part of itself later, and its styles. */
async function bundleWhole(entry: string): Promise<BundledFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(CONSOLE, "..", entry)],
    plugins: [limitsOfShapes],
    target: "browser",
    format: "iife",
    minify: true,
    external: ["*.woff2"],
    naming: { entry: "console-[hash].[ext]", asset: "console-[hash].[ext]" },
    throw: true,
  });
  return Promise.all(
    outputs.map(async (output) => ({ name: basename(output.path), text: await output.text() })),
  );
}

/** Returns the part that {@link SCREENS} imports as `source`, and all that this part and the script import at once. */
function needsOf({ inputs, outputs }: Bun.BuildMetafile, script: string, source: string): string[] {
  const [, screens] = Object.entries(inputs).find(([path]) => path.endsWith(SCREENS)) ?? [];
  const part = screens?.imports.find(({ original }) => original === source)?.path;
  if (part === undefined) throw new Error(`The bundle has no part for ${source}`);
  const names = new Set([script, basename(part)]);
  // Files added on the way are visited too.
  for (const name of names)
    for (const { kind, path } of outputs[`./${name}`]?.imports ?? [])
      if (kind === "import-statement") names.add(basename(path));
  names.delete(script);
  return [...names];
}
