import { simpleParser } from "mailparser";
import { receiveMails } from "../../test/support/mail-receiver.ts";
import { listPage, type Mail, mailPage } from "./pages.tsx";

const MAX_MAILS = 200;
const MAX_MAIL_BYTES = 10_000_000;

/** A mailbox that takes and shows mails on this machine. */
export type Mailbox = { smtpPort: number; httpPort: number; close(): Promise<void> };

/** Opens a mailbox on 127.0.0.1. Port 0 takes one that is free. */
export async function openMailbox(wanted: { smtpPort: number; httpPort: number }): Promise<Mailbox> {
  const mails: Mail[] = [];
  let count = 0;
  const receiver = await receiveMails(
    { size: MAX_MAIL_BYTES },
    {
      port: wanted.smtpPort,
      onMail: async (mail) => {
        const id = ++count;
        const parsed = await simpleParser(mail.source, { skipImageLinks: true });
        mails.unshift({ ...mail, id, parsed });
        mails.splice(MAX_MAILS);
        receiver.received.length = 0;
        receiver.copies.clear();
      },
    },
  );
  const withMail = (params: { id: string }, show: (mail: Mail) => Response) => {
    const mail = mails.find(({ id }) => String(id) === params.id);
    return mail ? show(mail) : new Response("There is no such mail", { status: 404 });
  };
  const shown = (answer: () => Response) => (request: Request) =>
    isLocal(request) ? answer() : new Response("Open this mailbox by 127.0.0.1", { status: 403 });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: wanted.httpPort,
    routes: {
      "/": (request) => shown(() => pageOf(listPage(mails)))(request),
      "/mails/:id": (request) =>
        shown(() => withMail(request.params, (mail) => pageOf(mailPage(mail))))(request),
      "/mails/:id/html": (request) => shown(() => withMail(request.params, htmlOf))(request),
      "/mails/:id/source": (request) =>
        shown(() => withMail(request.params, ({ source }) => plain(source)))(request),
    },
    fetch: () => new Response("There is nothing here", { status: 404 }),
  });
  return {
    smtpPort: receiver.port,
    httpPort: server.port ?? 0,
    async close() {
      await server.stop(true);
      await receiver.close();
    },
  };
}

/** Mails hold links to new passwords: a page elsewhere must not read them by a name that leads here. */
const isLocal = (request: Request) =>
  /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.get("host") ?? "");

const NOTHING = "default-src 'none'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

const answer = (body: string, type: string, policy: string) =>
  new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });

const pageOf = (body: string) =>
  answer(body, "text/html", `${NOTHING}; style-src 'unsafe-inline'; frame-src 'self'`);
const plain = (body: string) => answer(body, "text/plain", NOTHING);

/** What the mail says, as a reader of mail shows it: no script, nothing from elsewhere, and links open a new page. */
function htmlOf({ parsed }: Mail): Response {
  const html = parsed.attachments.reduce(
    (text, { cid, contentType, content }) =>
      cid ? text.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content.toString("base64")}`) : text,
    parsed.html || "<p>This mail has no HTML.</p>",
  );
  return answer(
    html,
    "text/html",
    `${NOTHING}; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox`,
  );
}
