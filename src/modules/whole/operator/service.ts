export { createServerChecks } from "./checks.ts";
export { getMailServer, noteMailTrouble, testMail } from "./mail.ts";
export { requireOperator } from "./may.ts";
export { streamBackup } from "./run.ts";
export { type BackupTimes, getServer } from "./server.ts";
