import { join } from "node:path";

/** A file that pages load, minified. */
export type BundledFile = { name: string; text: string };

/**
 * Entry points of the browser side: a style sheet, another for browsers without JavaScript, and a script for each
 * kind of page that needs one.
 */
const ENTRIES = ["styles/main.css", "styles/plain.css", "browser/player.ts", "browser/submit.ts"];

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
    naming: "[name].[ext]",
    throw: true,
  });
  return Promise.all(
    outputs.map(async (output) => ({ name: output.path.replace(/^.*[\\/]/, ""), text: await output.text() })),
  );
}
