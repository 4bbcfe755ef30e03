/**
 * Builds `dist/dubplate`: one executable with migrations, pages, decoders and the vector extension inside.
 *
 * usage: bun scripts/build.ts [FILE]
 */
import { dirname, join } from "node:path";
import type { BunPlugin } from "bun";
import { getLoadablePath } from "sqlite-vec";
import { bundleBrowserFiles, bundleConsole } from "../src/pages/bundle.ts";

const ROOT = join(import.meta.dir, "..");
const [outputPath = join(ROOT, "dist/dubplate")] = Bun.argv.slice(2);

/** The system loads extensions only from real files, so the executable writes out its copy at first use. */
const vectorExtension: BunPlugin = {
  name: "vector-extension",
  setup(build) {
    const path = getLoadablePath();
    const contents = `
      import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
      import { tmpdir } from "node:os";
      import { extname, join } from "node:path";
      import embedded from ${JSON.stringify(path)} with { type: "file" };
      export function getLoadablePath() {
        // A fresh folder that no other user can have prepared. The copy is loaded in the same tick and not needed
        // afterwards.
        const folder = mkdtempSync(join(tmpdir(), "dubplate-extension-"));
        queueMicrotask(() => rmSync(folder, { recursive: true, force: true }));
        const copy = join(folder, "vec0" + extname(embedded));
        writeFileSync(copy, readFileSync(embedded), { mode: 0o500 });
        return copy;
      }`;
    build.onLoad({ filter: /[\\/]sqlite-vec[\\/]index\.mjs$/ }, () => ({ contents, loader: "js" }));
  },
};

/** The executable contains the bundled browser files of pages and console, not their sources. */
const bundles = { bundleBrowserFiles: await bundleBrowserFiles(), bundleConsole: await bundleConsole() };
const browserFiles: BunPlugin = {
  name: "browser-files",
  setup(build) {
    const contents = Object.entries(bundles)
      .map(([name, made]) => `export const ${name} = async () => (${JSON.stringify(made)});`)
      .join("\n");
    build.onLoad({ filter: /[\\/]src[\\/]pages[\\/]bundle\.ts$/ }, () => ({ contents, loader: "js" }));
  },
};

const result = await Bun.build({
  entrypoints: [
    join(ROOT, "src/main.ts"),
    join(ROOT, "src/modules/analysis/worker.ts"),
    join(ROOT, "src/modules/webhooks/worker.ts"),
    join(ROOT, "src/modules/search/index/worker.ts"),
  ],
  compile: { outfile: outputPath, autoloadBunfig: false, autoloadTsconfig: false },
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: "linked",
  plugins: [vectorExtension, browserFiles],
  throw: true,
});
for (const { path } of result.outputs) console.log(path.replace(`${dirname(ROOT)}/`, ""));
