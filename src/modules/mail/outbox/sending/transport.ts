import type { MailSettings } from "../../../../kernel/settings.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import type { MailContent } from "../outbox.ts";

const MAX_CONNECTIONS = 2;
const GREETING_MS = 20 * SECOND_MS;
/** A relay may look at a mail before it answers the final dot (RFC 5321, 4.5.3.2 asks for ten minutes; ours are small). */
const ANSWER_MS = 120 * SECOND_MS;
const IDLE_MS = 10 * SECOND_MS;

/** A mail with its envelope, ready to be built. */
export type Letter = {
  id: string;
  to: { email: string; name: string | null };
  subject: string;
  /** Epoch milliseconds, of the deed. */
  at: number;
  content: MailContent;
};

/** Hands mails to the relay. */
export type Transport = {
  /**
   * Hands over one mail, and resolves when the relay has taken it.
   *
   * @param onEnd Called just before the last bytes go out: from then on the mail may arrive.
   * @throws The error of nodemailer, an `SmtpError`.
   */
  send(letter: Letter, onEnd: () => void): Promise<{ code: number; answer: string }>;
  /** Connects, encrypts and signs in, and hands over nothing. @throws As {@link Transport.send}. */
  verify(): Promise<void>;
  close(): void;
};

/** Opens the way to the relay: no socket before the first mail. */
export async function openTransport(mail: MailSettings): Promise<Transport> {
  const [{ createTransport }, { default: MailComposer }, { Readable }] = await Promise.all([
    import("nodemailer"),
    import("nodemailer/lib/mail-composer"),
    import("node:stream"),
  ]);
  const pool = createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // A connection that broke is ours to judge: whoever sends again must know what the relay may have.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    host: mail.host,
    port: mail.port,
    secure: mail.isTls,
    requireTLS: mail.needsTls,
    connectionTimeout: GREETING_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(mail.user !== undefined && { auth: { user: mail.user, pass: mail.password ?? "" } }),
  });

  const build = ({ id, to, subject, at, content }: Letter): Promise<Buffer> =>
    new MailComposer({
      from: { name: content.fromName ?? mail.from.name ?? "", address: mail.from.address },
      to: { name: to.name ?? "", address: to.email },
      ...(content.replyTo !== null && { replyTo: content.replyTo }),
      subject,
      text: content.text,
      html: content.html,
      headers: content.headers,
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
    })
      .compile()
      .build();

  return {
    async send(letter, onEnd) {
      const bytes = await build(letter);
      const raw = new Readable({
        read() {
          this.push(bytes);
          onEnd();
          this.push(null);
        },
      });
      const info = await pool.sendMail({ envelope: { from: mail.from.address, to: [letter.to.email] }, raw });
      const answer = String(info.response);
      return { code: Number.parseInt(answer, 10) || 250, answer };
    },
    async verify() {
      await pool.verify();
    },
    close: () => pool.close(),
  };
}
