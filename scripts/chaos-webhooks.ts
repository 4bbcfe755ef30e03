/**
 * Kills the server with SIGKILL again and again while changes are made through the API and its webhook receivers
 * answer errors, hang, reset, redirect, dribble and restart. Then checks that every receiver got every event at least
 * once, always with the same content and a valid signature, and got nothing else.
 *
 * usage: bun scripts/chaos-webhooks.ts [--kills 50] [--seed 1] [--keep]
 * Exit 1 on any violation. --keep leaves the data folder for inspection.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { keepFolder } from "./bench/processes.ts";
import { createArena, drain, playRound } from "./chaos-webhooks/arena.ts";
import { verify } from "./chaos-webhooks/verify.ts";

const REPORT_EVERY = 10;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    kills: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error("--kills must be a whole number from 1");

const arena = await createArena(values.seed);
if (values.keep) keepFolder(arena.folder);
console.log(`${kills} kills, seed ${values.seed}, in ${arena.folder}`);
const startedAt = performance.now();
for (let kill = 1; kill <= kills; kill++) {
  await playRound(arena);
  if (kill % REPORT_EVERY === 0)
    console.log(`${kill} kills, ${seconds()} s: ${arena.changes.acknowledged} changes`);
}
await drain(arena);
const { violations, events, requests, repeated } = verify(arena);
const { sent, acknowledged } = arena.changes;
console.log(
  `${kills} kills in ${seconds()} s: ${sent} changes sent, ${acknowledged} acknowledged, ${events} events to ` +
    `${arena.receivers.length} receivers, ${requests} requests arrived, ${repeated} of them repeats`,
);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
