import type { Readable } from "node:stream";
import type { MailSettings } from "../../../../kernel/settings.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../kernel/time.ts";
import type { MailContent } from "../outbox.ts";

const MAX_CONNECTIONS = 2;
/** How long the relay may take. Tests wait for less. */
export const PATIENCE = {
  /** Until it has greeted us, and the connection is encrypted. */
  greetingMs: 20 * SECOND_MS,
  /** It may look at a mail before it answers the final dot (RFC 5321, 4.5.3.2 asks for ten minutes; ours are small). */
  answerMs: 120 * SECOND_MS,
};
export type Patience = typeof PATIENCE;

const IDLE_MS = 10 * SECOND_MS;
/** Over all, since a relay that answers a little at a time is never idle. */
const ATTEMPT_MS = 10 * MINUTE_MS;

/** A mail with its envelope, ready to be built. */
export type Letter = {
  id: string;
  to: { email: string; name: string | null };
  subject: string;
  /** Epoch milliseconds, of the deed. */
  at: number;
  content: MailContent;
};

/** A mail in bytes, which are the same at every attempt. */
export type Built = { id: string; to: string; bytes: Uint8Array };

/** What is told on the way. */
export type OnTheWay = {
  /** The relay is reached and has let us in: what happens from now on is about this mail. */
  onOpen(): void;
  /** The last bytes are about to go out: from now on the mail may arrive. If this throws, they do not. */
  onEnd(): void;
};

/** Hands mails to the relay. */
export type Transport = {
  /** Returns a mail as it goes out. @throws Error when it cannot be written as one. */
  build(letter: Letter): Promise<Uint8Array>;
  /** Hands over one mail, and resolves when the relay has taken it. @throws The error of nodemailer, an `SmtpError`. */
  send(mail: Built, on: OnTheWay): Promise<{ code: number; answer: string }>;
  /** Connects, encrypts and signs in, and hands over nothing. @throws As {@link Transport.send}. */
  verify(): Promise<void>;
  /** Ends every connection, also one that waits for an answer: its mail fails. */
  close(): void;
};

/** Opens the way to the relay: no socket before the first mail. */
export async function openTransport(mail: MailSettings, patience: Patience = PATIENCE): Promise<Transport> {
  const [{ default: SmtpPool }, { default: MailComposer }, { Readable }] = await Promise.all([
    import("nodemailer/lib/smtp-pool"),
    import("nodemailer/lib/mail-composer"),
    import("node:stream"),
  ]);
  const pool = new SmtpPool(optionsOf(mail, patience));
  return {
    build: (letter) => new MailComposer(partsOf(mail, letter)).compile().build(),
    send({ id, to, bytes }, { onOpen, onEnd }) {
      const message = {
        getEnvelope: () => ({ from: mail.from.address, to: [to] }),
        messageId: () => id,
        getHeader: () => id,
        // Asked for before the relay hears of the recipient, and read when it has said that it takes the bytes.
        createReadStream() {
          onOpen();
          return streamOf(bytes, onEnd, Readable);
        },
      };
      const entry = { data: { signal: AbortSignal.timeout(ATTEMPT_MS) }, message };
      return new Promise((resolve, reject) => {
        pool.send(entry as unknown as Parameters<typeof pool.send>[0], (error, info) => {
          if (error) return reject(error);
          const answer = String(info?.response);
          resolve({ code: Number.parseInt(answer, 10) || 250, answer });
        });
      });
    },
    async verify() {
      await pool.verify();
    },
    close: () => pool.close({ force: true }),
  };
}

/** Returns a mail as a stream that tells before its end, and has none when that cannot be noted. */
function streamOf(bytes: Uint8Array, onEnd: () => void, Stream: typeof Readable): Readable {
  let isWhole = false;
  return new Stream({
    read() {
      try {
        if (isWhole) onEnd();
        this.push(isWhole ? null : bytes);
        isWhole = true;
      } catch (cause) {
        // nodemailer writes into the error, which SQLite's do not bear.
        this.destroy(new Error("It could not be noted that the mail is about to leave", { cause }));
      }
    },
  });
}

const optionsOf = (mail: MailSettings, { greetingMs, answerMs }: Patience) => ({
  maxConnections: MAX_CONNECTIONS,
  // A connection that broke is ours to judge: whoever sends again must know what the relay may have.
  maxRequeues: 0,
  idleTimeout: IDLE_MS,
  host: mail.host,
  port: mail.port,
  secure: mail.isTls,
  requireTLS: mail.needsTls,
  // Where encryption is not needed, a relay that offers it may use a certificate of its own making, as Debian's do.
  tls: { rejectUnauthorized: mail.isTls || mail.needsTls },
  connectionTimeout: greetingMs,
  greetingTimeout: greetingMs,
  socketTimeout: answerMs,
  // With a user name, a relay that offers no sign-in is wrong, and must not refuse every recipient for it.
  ...(mail.user !== undefined && { auth: { user: mail.user, pass: mail.password ?? "" }, forceAuth: true }),
});

const IS_PLAIN = /^[\x20-\x7e]*$/;

const partsOf = (mail: MailSettings, { id, to, subject, at, content }: Letter) => ({
  from: { name: content.fromName ?? mail.from.name ?? "", address: mail.from.address },
  to: { name: to.name ?? "", address: to.email },
  ...(content.replyTo !== null && { replyTo: content.replyTo }),
  subject,
  text: content.text,
  html: content.html,
  // On one line each: relays have signed one that was folded, and receivers found the signature wrong.
  headers: Object.entries(content.headers).map(([key, value]) => ({
    key,
    value: IS_PLAIN.test(value) ? { prepared: true, value } : value,
  })),
  attachments: content.logo
    ? [
        {
          cid: "logo",
          filename: "logo",
          contentType: content.logo.type,
          content: content.logo.base64,
          encoding: "base64",
          contentDisposition: "inline" as const,
        },
      ]
    : [],
  // The same bytes at every attempt: whoever gets two copies sees that they are one mail.
  messageId: `<${id}@${mail.from.address.slice(mail.from.address.indexOf("@") + 1)}>`,
  date: new Date(at),
  baseBoundary: id,
  disableFileAccess: true,
  disableUrlAccess: true,
});
