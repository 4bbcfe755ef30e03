export { noteDeed } from "./append.ts";
export { checkLedgers } from "./check.ts";
export { eraseAbout, eraseDue } from "./erase.ts";
export { endLogs, resealLogs, transferLogs } from "./logs.ts";
export {
  currentHead,
  prove,
  proveAny,
  proveConsistency,
  proveVersions,
  type Witnessed,
  witnessed,
} from "./prove.ts";
export { signHeadsForBackup } from "./schedule.ts";
export type { Proof } from "./shapes.ts";
export { stampHeads, stampNewest } from "./stamp.ts";

/** Loads the verifier, which most requests do not need. */
export const verifier = () => import("./verifier.ts");
