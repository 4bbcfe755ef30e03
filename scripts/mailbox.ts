/**
 * A mailbox for development: takes mails on this machine and shows each as HTML, as text and as its source. It keeps the last 200 in memory and
 * sends nothing on. Addresses that begin with `nobody` are refused, with `busy` put off twice, with `closing` once.
 *
 * usage: bun scripts/mailbox.ts [--smtp 2525] [--http 2526]
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import { openMailbox } from "./mailbox/mailbox.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { smtp: { type: "string", default: "2525" }, http: { type: "string", default: "2526" } },
});
const mailbox = await openMailbox({ smtpPort: Number(values.smtp), httpPort: Number(values.http) });
console.log(`Mails are shown at http://127.0.0.1:${mailbox.httpPort}/. Start the server with:

NETWORK_ALLOW=127.0.0.1:${mailbox.smtpPort} SMTP_URL=smtp://127.0.0.1:${mailbox.smtpPort} MAIL_FROM=me@example.com \\
  PUBLIC_URL=http://127.0.0.1:4747 bun start`);
