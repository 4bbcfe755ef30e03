export { type Deed, noteDeed } from "./append.ts";
export { checkLedgers } from "./check.ts";
export { eraseAbout, eraseDue } from "./erase.ts";
export { endLogs, resealLogs, transferLogs } from "./logs.ts";
export { currentHead, prove, proveAny, proveConsistency, proveVersion } from "./prove.ts";
export { signHeadsForBackup } from "./schedule.ts";
export type { Consistency, LedgerHead, Proof } from "./shapes.ts";
export { loadVerifier, VERIFIER, VERIFIER_NAME } from "./verifier.ts";
