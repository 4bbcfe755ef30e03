/**
 * Bounces into a watched folder as workstations do (slowly, aside and renamed, with the header last, over earlier files), kills
 * the watcher on the way, and prints what the library has in the end.
 *
 * usage: bun scripts/watch-bounces.ts [--bounces 1000] [--kills 10]
 * Exit 1 when a bounce is missing or is there twice.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { bounce } from "./watch-bounces/flow.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { bounces: { type: "string", default: "1000" }, kills: { type: "string", default: "10" } },
});
const [bounces, kills] = [Number(values.bounces), Number(values.kills)];
if (!Number.isInteger(bounces) || bounces < 8) throw new Error("--bounces must be a whole number from 8");
if (!Number.isInteger(kills) || kills < 0) throw new Error("--kills must be a whole number from 0");

const figures = await bounce({ bounces, kills, settleSeconds: 1, say: (text) => console.log(text) });
console.log(
  `${figures.bounces} bounces, ${figures.overwrites} over earlier ones, ${figures.renames} renamed, ` +
    `${figures.kills} kills, ${figures.seconds} s`,
);
console.log(`${figures.versions} versions, ${figures.lost} lost, ${figures.doubled} doubled`);
process.exit(figures.lost === 0 && figures.doubled === 0 && figures.versions === bounces ? 0 : 1);
