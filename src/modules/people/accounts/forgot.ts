import { transact } from "../../../../db/client.ts";
import type { JobHandler, LazyJobs } from "../../../jobs/job.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { Words } from "../../mail/letters/service.ts";
import { composeForServer, writeMail } from "../../mail/outbox/service.ts";
import { findResettable, normaliseEmail, placeReset } from "../people/service.ts";

export const RESET_MAIL_JOB = "reset mail";
/** How long a link that was sent works. */
const LIFETIME_MS = HOUR_MS;

/**
 * Notes that somebody asks for a new password. Whether the address belongs to anybody is looked up afterwards, by a job: the answer
 * and its time say nothing of it.
 *
 * @param attempts Of the address and of the client; every request counts.
 * @throws DomainError `rate_limit_exceeded`.
 */
export function askForReset(
  { db, now }: Pick<Deps, "db" | "now">,
  email: string,
  attempts: readonly Attempts[],
): void {
  for (const each of attempts) each.check();
  for (const each of attempts) each.count();
  const payload = { email: normaliseEmail(email), request: newToken(16) };
  transact(db, (tx) => enqueue(tx, { name: RESET_MAIL_JOB, payload }, now()));
}

/** The job that sends links for new passwords, where mails are sent. */
export const resetMailJobs = (deps: Deps): LazyJobs => ({
  [RESET_MAIL_JOB]: { load: async () => resetMailHandler(deps), concurrency: 1 },
});

const resetMailHandler =
  (deps: Deps): JobHandler =>
  async ({ email, request }) => {
    const token = newToken(32);
    const content = composeForServer(resetLetter(`${publicUrlOf(deps.settings)}/reset?token=${token}`));
    transact(deps.db, (tx) => {
      const inTx = within(deps, tx);
      const person = findResettable(inTx, String(email));
      if (!person) return;
      const expiresAt = deps.now() + LIFETIME_MS;
      const id = writeMail(inTx, {
        accountId: null,
        kind: "password",
        dedupe: `password ${request}`,
        to: { email: person.email, name: person.name },
        subject: SUBJECT,
        content,
        expiresAt,
      });
      if (id === undefined) return; // the job ran before
      placeReset(tx, { personId: person.id, tokenHash: sha256(token), expiresAt });
      audit(tx, { actor: "mail", action: "account.reset_link", subject: person.id }, deps.now());
    });
  };

const SUBJECT = "A new password for Dubplate";

/** Says how to choose a new password. */
export const resetLetter = (href: string): Words => ({
  subject: SUBJECT,
  lead: "Choose a new password.",
  parts: [
    { kind: "text", text: "Somebody, probably you, asked for a new password for your library." },
    { kind: "button", words: "Choose a new password", href },
    {
      kind: "small",
      text: "The link works once, for an hour. If you did not ask for it, do nothing: your password stays as it is.",
    },
  ],
  why: "This mail is about your sign-in.",
});
