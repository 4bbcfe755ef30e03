import { createHash } from "node:crypto";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as the receiver took it. */
export type ReceivedMail = { from: string; to: string; source: string };

/** What the receiver answers to recipients: by the beginning of their address. */
const ANSWERS: Readonly<Record<string, { code: number; words: string; times: number }>> = {
  nobody: { code: 550, words: "5.1.1 No such mailbox", times: Number.POSITIVE_INFINITY },
  busy: { code: 450, words: "4.2.1 Try again later", times: 2 },
  closing: { code: 421, words: "4.3.2 Closing down", times: 1 },
};

/** A real SMTP server on this machine that keeps what it takes. */
export type MailReceiver = {
  port: number;
  received: ReceivedMail[];
  /** SHA-256 of each source, by Message-ID. */
  copies: Map<string, string[]>;
  close(): Promise<void>;
};

/**
 * Starts a receiver on 127.0.0.1. Addresses that begin with `nobody` are refused, with `busy` twice for now, with `closing` once by
 * closing the connection.
 *
 * @param ackDelayMs How long it may take from having a mail to saying so.
 * @param port 0: one that is free.
 */
export async function receiveMails(
  options: SMTPServerOptions = {},
  {
    ackDelayMs = 0,
    port = 0,
    onMail = () => undefined,
  }: { ackDelayMs?: number; port?: number; onMail?: (mail: ReceivedMail) => unknown } = {},
): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  const copies = new Map<string, string[]>();
  const asked = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    ...options,
    onRcptTo({ address }, _session, done) {
      const times = (asked.get(address) ?? 0) + 1;
      asked.set(address, times);
      const answer = ANSWERS[/^[a-z]+/.exec(address)?.[0] ?? ""];
      if (!answer || times > answer.times) return done();
      done(Object.assign(new Error(answer.words), { responseCode: answer.code }));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", async () => {
        const source = Buffer.concat(parts).toString("utf8");
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address).join(), source };
        received.push(mail);
        await onMail(mail);
        const id = /^Message-ID: <(.*)>/im.exec(source)?.[1] ?? "";
        const known = copies.get(id) ?? [];
        copies.set(id, [...known, createHash("sha256").update(source).digest("hex")]);
        if (ackDelayMs === 0) done();
        else setTimeout(done, Math.random() * ackDelayMs);
      });
    },
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", ready);
  });
  server.on("error", () => undefined); // a sender that was killed
  const address = server.server.address() as { port: number };
  return {
    port: address.port,
    received,
    copies,
    close: () => new Promise((ended) => server.close(() => ended())),
  };
}
