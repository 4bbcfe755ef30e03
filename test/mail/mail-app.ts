import { type ParsedMail, simpleParser } from "mailparser";
import type { Settings } from "../../src/kernel/settings.ts";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { createTestApp } from "../support/app.ts";
import type { MailReceiver } from "../support/mail-receiver.ts";

const PUBLIC_URL = "https://music.example.com";

/** Makes the whole service with a relay, which takes its mails only when a test says so. */
export async function createMailApp(receiver: MailReceiver, settings: Partial<Settings> = {}) {
  const mail = {
    ...{ host: "127.0.0.1", port: receiver.port, isTls: false, needsTls: false },
    ...{ user: undefined, password: undefined },
    from: { name: null, address: "music@label.example" },
    perDay: 200,
  };
  const app = await createTestApp({ settings: { mail, publicUrl: PUBLIC_URL, ...settings } });
  return {
    ...app,
    /** Does what waits and sends what is due. Returns the mails that came. */
    async mails(port = receiver.port): Promise<ParsedMail[]> {
      const before = receiver.received.length;
      await app.drainJobs();
      const sender = startMailSender(app.deps, { ...mail, port }, { random: () => 0.5 });
      await sender.idle();
      await sender.stop();
      return Promise.all(receiver.received.slice(before).map(({ source }) => simpleParser(source)));
    },
  };
}

export type MailApp = Awaited<ReturnType<typeof createMailApp>>;

/** Returns the addresses that mails went to. */
export const addressesOf = (mails: readonly ParsedMail[]): string[] =>
  mails.flatMap(({ to }) =>
    [to ?? []].flat().flatMap(({ value }) => value.map(({ address = "" }) => address)),
  );
