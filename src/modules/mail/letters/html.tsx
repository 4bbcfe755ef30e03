/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { readableAccents } from "../../people/brand/service.ts";
import type { Letter, Part } from "./letter.ts";

/** How a library looks in its mails. */
export type Look = {
  /** `#rrggbb`; null: ours. */
  accent: string | null;
  /** The mail brings the logo along as `cid:logo`. */
  hasLogo: boolean;
};

/** The ink of our pages' accent. */
const OURS = "#b03a16";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const WIDTH_PX = 600;

/** Of readers that know neither scheme: styles stand on the elements. Those that do get the rest from here. */
function styleOf({ light, dark }: ReturnType<typeof readableAccents>): string {
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:${light}}
@media (prefers-color-scheme:dark){
.paper{background:#131316!important}.card{background:#1b1c20!important;border-color:#34363c!important}
.ink{color:#ecebe8!important}.soft{color:#a5a6ac!important}.line{border-color:#34363c!important}
a{color:${dark}!important}
}
@media (max-width:480px){.card{padding:20px!important}.gutter{padding:12px!important}}`;
}

/**
 * Returns a mail as HTML: one column, nothing from elsewhere, no picture but the logo that it brings along, and readable in both
 * schemes. Readers of mail know little of CSS, so each element has its own and tables hold the column.
 */
export function letterHtml(letter: Letter, { accent, hasLogo }: Look): string {
  const accents = readableAccents(accent ?? OURS);
  const { subject, library, lead, parts, why, stop } = letter;
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: styleOf(accents) }} />
      </head>
      <body class="paper" style={`margin:0;padding:0;background:#faf9f7;font-family:${SANS}`}>
        <Column>
          <p style="margin:0 0 16px">
            {hasLogo && (
              <img
                src="cid:logo"
                alt=""
                height="32"
                style="height:32px;width:auto;vertical-align:middle;margin-right:10px;border:0"
              />
            )}
            <b class="ink" style="color:#1d1d20;font-size:15px;vertical-align:middle">
              {library}
            </b>
          </p>
          <h1
            class="ink"
            style="margin:0 0 20px;color:#1d1d20;font-size:20px;line-height:28px;font-weight:600"
          >
            {lead}
          </h1>
          {parts.map((part) => (
            <PartOf part={part} accents={accents} />
          ))}
          <p
            class="soft line"
            style="margin:28px 0 0;padding-top:16px;border-top:1px solid #e3e0d9;color:#5d5e66;font-size:13px;line-height:19px"
          >
            {why}
            {stop && (
              <>
                {" "}
                <a href={stop.href}>{stop.words}</a>
              </>
            )}
          </p>
        </Column>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

function Column({ children }: { children: ComponentChildren }) {
  return (
    <main>
      <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
        <tr>
          <td class="gutter" align="center" style="padding:24px">
            <table
              role="presentation"
              width="100%"
              cellPadding="0"
              cellSpacing="0"
              style={`max-width:${WIDTH_PX}px`}
            >
              <tr>
                <td
                  class="card"
                  align="left"
                  style="padding:32px;background:#ffffff;border:1px solid #e3e0d9;border-radius:10px;overflow-wrap:anywhere"
                >
                  {children}
                </td>
              </tr>
            </table>
          </td>
        </tr>
      </table>
    </main>
  );
}

const TEXT = "margin:0 0 16px;color:#1d1d20;font-size:16px;line-height:24px";

function PartOf({ part, accents }: { part: Part; accents: ReturnType<typeof readableAccents> }) {
  switch (part.kind) {
    case "text":
      return (
        <p class="ink" style={TEXT}>
          {part.text}
        </p>
      );
    case "small":
      return (
        <p class="soft" style="margin:0 0 16px;color:#5d5e66;font-size:14px;line-height:20px">
          {part.text}
          {part.link && (
            <>
              {" "}
              <a href={part.link.href}>{part.link.words}</a>
            </>
          )}
        </p>
      );
    case "quote":
      return (
        <blockquote style={`margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${accents.light}`}>
          <p class="ink" style="margin:0;color:#1d1d20;font-size:16px;line-height:24px;white-space:pre-wrap">
            {part.text}
          </p>
          <p class="soft" style="margin:4px 0 0;color:#5d5e66;font-size:14px">
            {part.by}
          </p>
        </blockquote>
      );
    case "button":
      return (
        <p style="margin:0 0 20px">
          <a
            href={part.href}
            style={`display:inline-block;padding:12px 20px;border-radius:8px;background:${accents.ground};color:${accents.onGround}!important;font-size:16px;font-weight:600;text-decoration:none`}
          >
            {part.words}
          </a>
        </p>
      );
    case "list":
      return (
        <ul style="margin:0 0 20px;padding:0 0 0 20px">
          {part.rows.map(({ text, note, href }) => (
            <li class="ink" style="margin:0 0 6px;color:#1d1d20;font-size:16px;line-height:24px">
              {href ? <a href={href}>{text}</a> : text}
              {note && (
                <span class="soft" style="color:#5d5e66;font-size:14px">
                  {" "}
                  {note}
                </span>
              )}
            </li>
          ))}
        </ul>
      );
  }
}
