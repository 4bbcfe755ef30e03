/**
 * Imports files in folders, kills the import on the way, goes on, and prints what the library has in the end.
 *
 * usage: bun scripts/import-files.ts [--files 10000] [--kills 5]
 * Exit 1 when a file is missing or is there twice.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { importAndKill } from "./import-files/flow.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { files: { type: "string", default: "10000" }, kills: { type: "string", default: "5" } },
});
const [files, kills] = [Number(values.files), Number(values.kills)];
if (!Number.isInteger(files) || files < 1) throw new Error("--files must be a whole number from 1");
if (!Number.isInteger(kills) || kills < 0) throw new Error("--kills must be a whole number from 0");

const { versions, lost, doubled, seconds } = await importAndKill({
  files,
  kills,
  say: (text) => console.log(text),
});
console.log(`${files} files, ${kills} kills, ${seconds} s (${Math.round(files / seconds)} files per second)`);
console.log(`${versions} versions, ${lost} lost, ${doubled} doubled`);
process.exit(lost === 0 && doubled === 0 ? 0 : 1);
