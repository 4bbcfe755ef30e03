/**
 * Sends random requests to two libraries as somebody who is in both, by session and by key, and looks in every answer for what is of
 * the wrong library, and for splits, plays and originals that the role does not show. Each role has libraries of its own.
 *
 * usage: bun scripts/foreign-requests.ts [--requests 2000] [--seed 1]
 *
 * Exit 1 when an answer told of something.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { createTestApp } from "../test/support/app.ts";
import { createForeignWalk } from "../test/support/foreign.ts";

const ROLES = ["manager", "producer", "artist", "listener"] as const;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { requests: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
let faults = 0;
for (const role of ROLES) {
  const app = await createTestApp();
  const found = await (await createForeignWalk(app)).random(
    role,
    Number(values.requests),
    Number(values.seed),
  );
  await app.close();
  console.log(`${role}: ${values.requests} requests, ${found.length} told of something`);
  for (const fault of found.slice(0, 20)) console.log(`  ${fault}`);
  faults += found.length;
}
process.exit(faults === 0 ? 0 : 1);
