export {
  changeAccountOf,
  deleteAccountOf,
  giveAccountTo,
  inviteAccount,
  listAccountsFor,
  renewInvitation,
} from "./accounts.ts";
export { createServerChecks } from "./checks.ts";
export { getMailServer, noteMailTrouble, testMail } from "./mail.ts";
export { requireOperator } from "./may.ts";
export { changePersonOf, listPeopleFor } from "./people.ts";
export { streamBackup } from "./run.ts";
export { type BackupTimes, getServer } from "./server.ts";
