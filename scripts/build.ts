/**
 * Builds `dist/dubplate`: one executable with migrations, pages, decoders and the vector extension inside.
 *
 * usage: bun scripts/build.ts [FILE]
 */
import "./support/help.ts";
import { dirname, join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { buildExecutable } from "./build/executable.ts";

const ROOT = join(import.meta.dir, "..");
const [outfile = join(ROOT, "dist/dubplate")] = Bun.argv.slice(2);

const path = await buildExecutable({ outfile, extensionPath: getLoadablePath() });
console.log(path.replace(`${dirname(ROOT)}/`, ""));
