/**
 * Makes originals in many forms, copies them with tags, and reads the copies with every foreign reader of the machine. Then breaks
 * containers and shows that a copy is refused or as good as its original.
 *
 * usage: bun scripts/retag-check.ts [--mutations 500] [--seed 1]
 * Needs ffmpeg, flac, oggenc, opusenc, sox and AtomicParsley to make originals, and PYTHON with mutagen to read copies.
 * Exit 1 when a copy is not as it must be.
 */
import "./support/help.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkCopies } from "./retag-check/copies.ts";
import { checkMutations } from "./retag-check/mutations.ts";
import { makeOriginals } from "./retag-check/originals.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { mutations: { type: "string", default: "500" }, seed: { type: "string", default: "1" } },
});
const [mutations, seed] = [Number(values.mutations), Number(values.seed)];
if (!Number.isInteger(mutations) || mutations < 0)
  throw new Error("--mutations must be a whole number from 0");

const folder = mkdtempSync(join(tmpdir(), "dubplate-retag-"));
const say = (text: string) => console.log(text);
let failed = 0;
try {
  const files = await makeOriginals(folder, say);
  failed += await checkCopies(files, folder, say);
  if (mutations > 0) failed += await checkMutations(files.originals, { folder, mutations, seed, say });
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);
