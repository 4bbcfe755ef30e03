import { transact } from "../../db/client.ts";
import { mails } from "../../db/schema.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import type { MailSettings } from "../../src/kernel/settings.ts";
import { type NewMail, writeMail } from "../../src/modules/mail/outbox/outbox.ts";
import { type SenderOptions, startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { openEmpty } from "./empty-library.ts";

/** Midday of a winter day. */
export const START = Date.UTC(2026, 0, 15, 12);

/** A server's outbox, with a clock that tests control. It sends to a relay on this machine. */
export function createOutbox(relay: Partial<MailSettings> & { port: number }, options: SenderOptions = {}) {
  const clock = { at: START };
  const logged: string[] = [];
  const deps = {
    db: openEmpty(),
    now: () => clock.at,
    log: (_: string, message: string, fields?: object) =>
      void logged.push(`${message} ${JSON.stringify(fields)}`),
    secrets: secretsOf(Buffer.alloc(32, 7)),
  };
  const troubles: string[] = [];
  const settings = {
    host: "127.0.0.1",
    isTls: false,
    needsTls: false,
    user: undefined,
    password: undefined,
    from: { name: "Night Label", address: "music@label.example" },
    perDay: 200,
    ...relay,
  };
  const start = () =>
    startMailSender(deps, settings, {
      random: () => 0.5,
      onTrouble: (words) => void troubles.push(words),
      ...options,
    });
  return {
    clock,
    deps,
    logged,
    troubles,
    start,
    row: (email?: string) =>
      deps.db
        .select()
        .from(mails)
        .all()
        .find(({ toEmail }) => email === undefined || toEmail === email),
    write: (email: string, more: Partial<NewMail> = {}) =>
      transact(deps.db, (tx) =>
        writeMail(
          { ...deps, db: tx },
          {
            accountId: null,
            kind: "test",
            dedupe: email,
            to: { email, name: "Anna Berg" },
            subject: "Night Drive, for you",
            content: {
              fromName: "Mara via Dubplate",
              replyTo: "mara@label.example",
              text: "Listen",
              html: "<p>Listen</p>",
              headers: { "X-Kind": "test" },
              logo: null,
            },
            ...more,
          },
        ),
      ),
    /** Sends what is due, as one run of the program. */
    async send() {
      const sender = start();
      await sender.idle();
      await sender.stop();
    },
  };
}
