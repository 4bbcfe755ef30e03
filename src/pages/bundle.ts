import { join } from "node:path";

/** A file that pages load, minified. */
export type BundledFile = { name: string; text: string };

/**
 * What the pages' browser side begins with: a style sheet, another that is added where there is no JavaScript, and a
 * script for each kind of page that has one.
 */
const ENTRIES = ["styles/main.css", "styles/plain.css", "browser/player.ts", "browser/submit.ts"];

/**
 * Bundles style sheet and scripts. A checkout does this once, when the first page is asked for; the executable has the
 * result inside, because `scripts/build.ts` puts it in the place of this module.
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
