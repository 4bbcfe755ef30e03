/**
 * Prints what one machine holds: tracks (start, memory, pages, search), listeners (streams at the rate of a song, their
 * bandwidth, memory and processor time), and uploads a day (songs of three minutes, taken in and analysed).
 *
 * usage: bun scripts/one-box.ts [tracks] [listeners] [uploads] [--rows 100000,500000] [--streams 200,1000] [--songs 8]
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { measureListeners } from "./one-box/listeners.ts";
import { measureTracks } from "./one-box/tracks.ts";
import { measureUploads } from "./one-box/uploads.ts";

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "100000,500000" },
    streams: { type: "string", default: "200,1000" },
    songs: { type: "string", default: "8" },
  },
});
const numbers = (text: string) => text.split(",").map(Number);
const isAsked = (section: string) => positionals.length === 0 || positionals.includes(section);
const print = (row: object) => console.log(JSON.stringify(row));

if (isAsked("tracks")) for (const rows of numbers(values.rows)) print(await measureTracks(rows));
if (isAsked("listeners")) for (const row of await measureListeners(numbers(values.streams))) print(row);
if (isAsked("uploads")) print(await measureUploads(Number(values.songs)));
process.exit(0);
