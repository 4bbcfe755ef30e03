import { resealAnswers } from "./http/idempotency.ts";
import { MODULES } from "./modules/index.ts";
import type { Reseal } from "./store/rotation.ts";

/**
 * Seals everything in the database for a new master secret. What is signed needs nothing: the signatures of links, pages
 * and receipts are made again when they are asked for, and those that are out there no longer count.
 */
export const resealAll: Reseal = (tx, from, to) => {
  const sealed = MODULES.flatMap((module) => Object.entries(module.sealed ?? {}));
  const all = [...sealed, ["answers", resealAnswers] as const];
  return Object.fromEntries(all.map(([kind, reseal]) => [kind, reseal(tx, from, to)]));
};
