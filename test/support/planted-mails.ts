import { join } from "node:path";
import { openDb, transact } from "../../db/client.ts";
import type { LibraryId, PersonId } from "../../db/schema.ts";
import { readSettings } from "../../src/config.ts";
import { readFileIfThere } from "../../src/kernel/master-secret.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { type NewMail, writeMail } from "../../src/modules/mail/outbox/outbox.ts";
import { stopMail, stopUrl } from "../../src/modules/mail/outbox/stops.ts";

type Planted = { accountId: string; shareId: string; trackId: string };

/**
 * Gives a library on disk what its mails leave behind, as a server with a relay would: a mail that waits and says something, a
 * reminder that was sent, an address that wants no more of it, one that wants nothing of the server, a wish, and an answer.
 */
export function plantMails(dataDir: string, { accountId, shareId, trackId }: Planted): void {
  const db = openDb(join(dataDir, "dubplate.db"));
  const secrets = secretsOf(readFileIfThere(join(dataDir, "master-secret")) ?? Buffer.alloc(0));
  const deps = { db, now: Date.now, secrets };
  const mail = (kind: NewMail["kind"], email: string): NewMail => ({
    ...{ accountId, kind, shareId, dedupe: `${kind} ${shareId}`, madeBy: accountId as PersonId },
    to: { email, name: "Bo" },
    subject: `${kind} of ${accountId}`,
    content: { fromName: "Ana", replyTo: null, text: "Listen", html: "", headers: {}, logo: null },
  });
  try {
    transact(db, (tx) => {
      writeMail({ ...deps, db: tx }, mail("link", "waits@example.com"));
      const sent = writeMail({ ...deps, db: tx }, mail("reminder", "stopped@example.com"));
      const over = tx.$client.query(
        "UPDATE mails SET state = 'sent', body = NULL, due_at = NULL, ended_at = ?2 WHERE id = ?1",
      );
      over.run(sent ?? "", 1_700_000_000_000);
    });
    stopMail(deps, { email: `Other.${trackId}@example.com`, accountId }, false);
    stopMail(deps, { email: "stopped@example.com", accountId }, true);
    db.$client
      .query("INSERT INTO mail_wishes VALUES (?1, ?1, 'weekly', '[\"answers\"]', 1700000000000)")
      .run(accountId);
    db.$client
      .query(
        "INSERT INTO share_answers VALUES ('ans_' || ?1, ?2, ?3, NULL, 'interested', 'Send stems?', 1700000000000, NULL)",
      )
      .run(crypto.randomUUID().replaceAll("-", ""), shareId, trackId);
  } finally {
    db.$client.close();
  }
}

/** Returns the path of the link in a mail of a library on disk that stops its mail. */
export function stopPathIn(dataDir: string, accountId: string): string {
  const db = openDb(join(dataDir, "dubplate.db"));
  const secrets = secretsOf(readFileIfThere(join(dataDir, "master-secret")) ?? Buffer.alloc(0));
  const settings = { ...readSettings({}), publicUrl: "http://library.example" };
  try {
    const stop = { email: "bo@example.com", accountId: accountId as LibraryId };
    return new URL(stopUrl({ db, secrets, settings }, stop)).pathname;
  } finally {
    db.$client.close();
  }
}
