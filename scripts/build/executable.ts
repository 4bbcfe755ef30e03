import { extname, join } from "node:path";
import type { BunPlugin } from "bun";
import { bundleBrowserFiles, bundleConsole } from "../../src/pages/bundle.ts";
import { writeNewestSchema } from "./newest-schema.ts";

const ROOT = join(import.meta.dir, "../..");

/** The system loads extensions only from real files, so the executable writes out its copy at first use. */
const vectorExtension = (path: string): BunPlugin => ({
  name: "vector-extension",
  setup(build) {
    const contents = `
      import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
      import { tmpdir } from "node:os";
      import { join } from "node:path";
      import embedded from ${JSON.stringify(path)} with { type: "file" };
      export function getLoadablePath() {
        // A fresh folder that no other user can have prepared. The copy is loaded in the same tick and not needed
        // afterwards.
        const folder = mkdtempSync(join(tmpdir(), "dubplate-extension-"));
        queueMicrotask(() => rmSync(folder, { recursive: true, force: true }));
        const copy = join(folder, "vec0${extname(path)}");
        writeFileSync(copy, readFileSync(embedded), { mode: 0o500 });
        return copy;
      }`;
    build.onLoad({ filter: /[\\/]sqlite-vec[\\/]index\.mjs$/ }, () => ({ contents, loader: "js" }));
  },
});

/** The executable contains the bundled browser files of pages and console, not their sources. */
async function browserFiles(): Promise<BunPlugin> {
  const bundles = { bundleBrowserFiles: await bundleBrowserFiles(), bundleConsole: await bundleConsole() };
  const contents = Object.entries(bundles)
    .map(([name, made]) => `export const ${name} = async () => (${JSON.stringify(made)});`)
    .join("\n");
  return {
    name: "browser-files",
    setup: (build) => {
      build.onLoad({ filter: /[\\/]src[\\/]pages[\\/]bundle\.ts$/ }, () => ({ contents, loader: "js" }));
    },
  };
}

/** The executable makes a new library at once (docs/decisions/0135-newest-schema.md). */
function newestSchema(): BunPlugin {
  const contents = `export const newestSchema = () => ${JSON.stringify(writeNewestSchema())};`;
  return {
    name: "newest-schema",
    setup: (build) => {
      build.onLoad({ filter: /[\\/]db[\\/]newest\.ts$/ }, () => ({ contents, loader: "js" }));
    },
  };
}

/** What an executable is made for; without a target, for this machine. */
export type Executable = {
  outfile: string;
  /** The vector extension of that system. */
  extensionPath: string;
  target?: Bun.Build.CompileTarget;
};

/** Builds one executable with migrations, pages, decoders and the vector extension inside. Returns its path. */
export async function buildExecutable({ outfile, extensionPath, target }: Executable): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [
      join(ROOT, "src/main.ts"),
      join(ROOT, "src/modules/library/analysis/worker.ts"),
      join(ROOT, "src/modules/library/kinship/worker.ts"),
      join(ROOT, "src/modules/sharing/leaks/worker.ts"),
      join(ROOT, "src/modules/outward/webhooks/worker.ts"),
      join(ROOT, "src/modules/search/search/index/worker.ts"),
      join(ROOT, "src/modules/sharing/comments/carry/worker.ts"),
      join(ROOT, "src/store/checkpoints/worker.ts"),
    ],
    compile: { outfile, autoloadBunfig: false, autoloadTsconfig: false, ...(target && { target }) },
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "linked",
    // The code is parsed when the executable is built, and a start loads only the parts that it needs.
    splitting: true,
    bytecode: true,
    format: "esm",
    plugins: [vectorExtension(extensionPath), await browserFiles(), newestSchema()],
    throw: true,
  });
  return outputs[0]?.path ?? outfile;
}
