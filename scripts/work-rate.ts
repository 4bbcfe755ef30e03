/**
 * Analyses pieces with one `dubplate work` and then with two, on one server that analyses nothing itself, and prints both
 * rates and their quotient. On Linux each worker has a processor core to itself, as if it were a machine with one core. Then
 * compares what was stored with what the server's own analysis gives.
 *
 * usage: bun scripts/work-rate.ts [--pieces 10] [--minutes 4] [--kill 0]
 * --kill N: afterwards, kills a worker at random N times while all pieces are analysed again.
 * Exit 1 when a track was analysed more or less than once, or has other values.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { measureRates } from "./work-rate/flow.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    pieces: { type: "string", default: "10" },
    minutes: { type: "string", default: "4" },
    kill: { type: "string", default: "0" },
  },
});
const [pieces, minutes, kills] = [Number(values.pieces), Number(values.minutes), Number(values.kill)];
if (!Number.isInteger(pieces) || pieces < 2) throw new Error("--pieces must be a whole number from 2");
if (!(minutes > 0 && minutes <= 60)) throw new Error("--minutes must be a number above 0, at most 60");
if (!Number.isInteger(kills) || kills < 0) throw new Error("--kill must be a whole number from 0");

const say = (text: string) => console.log(text);
const { one, two, wrong } = await measureRates({ pieces, seconds: minutes * 60, kills, say });
say(`one worker: ${one.toFixed(1)} pieces of ${minutes} minutes per minute`);
say(`two workers: ${two.toFixed(1)} pieces of ${minutes} minutes per minute`);
say(`quotient: ${(two / one).toFixed(2)}`);
say(
  wrong.length === 0
    ? "Every track was analysed once each time, with the server's own values"
    : wrong.join("\n"),
);
process.exit(wrong.length === 0 ? 0 : 1);
