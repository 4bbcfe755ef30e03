/**
 * Registers random works (CWR 2.1 and 2.2), reads the files back by the npm package cwr-parser, and compares every field, sum and
 * count. Nothing here tests what a society accepts.
 *
 * usage: bun scripts/rights-check.ts [COUNT] [SEED]
 * COUNT: works per version; 200 by default. SEED: another choice of works.
 * Exit 1 when something was different.
 */
import "./support/help.ts";
import { roundTrip } from "./rights-check/round-trip.ts";

const [count = "200", seed = "1"] = Bun.argv.slice(2);
let faults = 0;
for (const version of ["2.1", "2.2"] as const) {
  const started = performance.now();
  const different = await roundTrip(version, Number(count), Number(seed));
  for (const sentence of different.slice(0, 20)) console.log(`  ${sentence}`);
  faults += different.length;
  const ms = Math.round(performance.now() - started);
  console.log(`CWR ${version}: ${count} works, ${different.length} differences, ${ms} ms`);
}
process.exit(faults === 0 ? 0 : 1);
