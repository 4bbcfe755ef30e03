/**
 * Sends a folder to a server through the console in Chromium, with two reloads of the page and a killed server on the way,
 * and prints what arrived and how it felt.
 *
 * usage: bun scripts/upload-folder.ts [--files 1000]
 * Exit 1 when a file is missing or is there twice.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { findBrowser } from "./find-browser.ts";
import { uploadFolder } from "./upload-folder/flow.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { files: { type: "string", default: "1000" } },
});
const files = Number(values.files);
if (!Number.isInteger(files) || files < 4) throw new Error("--files must be a whole number from 4");
const browser = findBrowser();
if (!browser) throw new Error("This needs Chromium: bun scripts/browser.ts");

const figures = await uploadFolder(browser, { files, say: (text) => console.log(text) });
console.log(
  `${figures.files} files (${figures.megabytes} MB) in ${figures.seconds} s, listed ${figures.listed.join(", ")} ms after ` +
    `each drop (500), longest frame ${figures.longestFrame} ms (100), one in a hundred over ${figures.frame99} ms`,
);
console.log(
  `${figures.tracks} tracks, ${figures.missing} files missing, ${figures.leftOver} left in the folder of uploads`,
);
process.exit(figures.tracks === files && figures.missing === 0 ? 0 : 1);
