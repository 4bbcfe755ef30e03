/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api, dataOf } from "../api/client.ts";
import type { Body, Data } from "../api/routes.ts";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { type Scheme, showMail } from "./mail-html.ts";
import type { Recipient } from "./recipients.ts";
import "./mail-preview.css";

type MailPreview = Data<"POST /app/mails/preview">;
/** A mail as it would be sent. */
export type MailDraft = Body<"POST /app/mails/preview">;

/** Returns whom a mail goes to, as the server takes them. */
export const recipientsOf = (people: readonly Recipient[]) =>
  people.map(({ name, email }) => ({ recipient: name, recipientEmail: email.trim() }));

/** Shows what would go out, exactly. @throws ApiError */
export async function previewMail(draft: MailDraft): Promise<void> {
  const mail = await dataOf(api.POST("/app/mails/preview", { body: draft }));
  showDialog((close) => <PreviewDialog mail={mail} onClose={close} />);
}

const TABS = [
  { id: "light", name: "Light" },
  { id: "dark", name: "Dark" },
  { id: "text", name: "Text" },
] as const;

function PreviewDialog({ mail, onClose }: { mail: MailPreview; onClose: () => void }) {
  const tab = useSignal<(typeof TABS)[number]["id"]>("light");
  const { html, text } = mail;
  return (
    <Dialog label="Preview of the mail" kind="mail-preview" onClose={onClose}>
      <Head mail={mail} />
      <Tabs
        label="Mail as"
        tabs={TABS}
        current={tab.value}
        onChange={(id) => {
          tab.value = id;
        }}
      >
        {tab.value === "text" ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
          <pre class="mail-preview-text" tabIndex={0}>
            {text}
          </pre>
        ) : (
          <Letter html={html} scheme={tab.value} />
        )}
      </Tabs>
    </Dialog>
  );
}

/** Who it is from, what it is about and to whom it goes. */
function Head({ mail: { from, replyTo, subject, recipients } }: { mail: MailPreview }) {
  const lines = [
    ["From", from],
    ...(replyTo === null ? [] : [["Replies to", replyTo]]),
    ["To", recipients.map(wordsOf).join(", ")],
    ["Subject", subject],
  ];
  return (
    <dl class="mail-preview-head">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Who does not want it is told apart before it is sent. */
const wordsOf = ({ name, email, takesMail }: MailPreview["recipients"][number]): string =>
  [name === email ? null : name, `<${email}>`, !takesMail && "(gets no mail)"].filter(Boolean).join(" ");

function Letter({ html, scheme }: { html: string; scheme: Scheme }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current) showMail(host.current, html, scheme);
  }, [html, scheme]);
  return <div ref={host} class="mail-preview-letter" />;
}
