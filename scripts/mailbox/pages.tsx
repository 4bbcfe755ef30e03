/** @jsxRuntime automatic @jsxImportSource preact */
import type { ParsedMail } from "mailparser";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";

/** A mail as it came. */
export type Mail = { id: number; from: string; to: string; source: string; parsed: ParsedMail };

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:64rem;padding:1rem}
a{color:inherit}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8886;vertical-align:top;overflow-wrap:anywhere}
iframe{width:100%;height:40rem;border:1px solid #8886}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8886;padding:1rem}
.narrow{width:320px}`;

const REFRESH_SEC = 5;

function page(title: string, children: ComponentChildren, head?: ComponentChildren): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

/** Returns the list of what came, the newest first. It looks again by itself. */
export const listPage = (mails: readonly Mail[]): string =>
  page(
    `Mailbox (${mails.length})`,
    <main>
      <h1>Mailbox</h1>
      {mails.length === 0 ? (
        <p>Nothing has come yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>To</th>
              <th>Subject</th>
              <th>From</th>
              <th>Date</th>
            </tr>
          </thead>
          <tbody>
            {mails.map(({ id, to, parsed }) => (
              <tr key={id}>
                <td>{to}</td>
                <td>
                  <a href={`/mails/${id}`}>{parsed.subject ?? "(none)"}</a>
                </td>
                <td>{parsed.from?.text}</td>
                <td>{parsed.date?.toISOString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>,
    <meta http-equiv="refresh" content={String(REFRESH_SEC)} />,
  );

/** Returns one mail: as HTML at both widths, as text, and a link to its source. */
export const mailPage = ({ id, from, to, parsed }: Mail): string =>
  page(
    parsed.subject ?? "Mail",
    <main>
      <p>
        <a href="/">All mails</a> · <a href={`/mails/${id}/html`}>HTML alone</a> ·{" "}
        <a href={`/mails/${id}/source`}>Source</a>
      </p>
      <h1>{parsed.subject}</h1>
      <table>
        <tbody>
          {[
            ["From", parsed.from?.text],
            ["To", to],
            ["Reply-To", parsed.replyTo?.text],
            ["Envelope from", from],
            ["Message-ID", parsed.messageId],
            ["Date", parsed.date?.toISOString()],
            [
              "Attached",
              parsed.attachments.map(({ contentType, size }) => `${contentType}, ${size} bytes`).join(),
            ],
          ].map(([name, value]) => (
            <tr key={name}>
              <th>{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>HTML</h2>
      <iframe title="HTML" sandbox="allow-popups" src={`/mails/${id}/html`} />
      <h2>HTML on a phone</h2>
      <iframe class="narrow" title="HTML on a phone" sandbox="allow-popups" src={`/mails/${id}/html`} />
      <h2>Text</h2>
      <pre>{parsed.text}</pre>
    </main>,
  );
