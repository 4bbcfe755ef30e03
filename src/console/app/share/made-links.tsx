/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { linkName } from "../../shared/names.ts";
import { account } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { copyText } from "./copy.ts";
import type { Made } from "./create.ts";
import { MailLine, useMails } from "./mails.tsx";
import { QrCode } from "./qr-code.tsx";

/** The links that were made, each with ways to pass it on. */
export function MadeLinks({
  links,
  title,
  isCopied,
  isMailed = false,
  onDone,
}: {
  links: readonly Made[];
  title: string;
  isCopied: boolean;
  /** True when they went out by mail, to those who have an address. */
  isMailed?: boolean;
  onDone: () => void;
}) {
  const said = useSignal("");
  const done = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    done.current?.focus();
    if (isCopied) said.value = links.length > 1 ? `${links.length} links copied` : "Link copied";
  }, []);
  return (
    <div class="form">
      <ul class="made-links">
        {links.map((link) => (
          <li key={link.id}>
            <MadeLink link={link} title={title} onSay={(text) => (said.value = text)} />
            {isMailed && link.recipientEmail !== null && <LinkMails id={link.id} to={link.recipientEmail} />}
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <p class="made-said" role="status">
          {said}
        </p>
        <button ref={done} type="button" class="button" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}

/** What became of the mail with a link. */
function LinkMails({ id, to }: { id: string; to: string }) {
  const mails = useMails(id);
  if (mails.length === 0) return <p class="mail-words mail-waiting">On its way to {to}</p>;
  return (
    <>
      {mails.map((mail) => (
        <MailLine key={mail.id} mail={mail} />
      ))}
    </>
  );
}

type LinkProps = { link: Made; title: string; onSay: (text: string) => void };

function MadeLink({ link, title, onSay }: LinkProps) {
  const hasCode = useSignal(false);
  const copy = async () => {
    onSay("");
    onSay((await copyText(link.url)) ? "Link copied" : "The browser did not allow copying");
  };
  return (
    <>
      <Field label={linkName(link)} readOnly value={link.url} />
      <div class="buttons">
        <Button look="secondary small" run={copy}>
          Copy
        </Button>
        <Button look="secondary small" run={() => window.location.assign(mailTo(link, title))}>
          E-mail
        </Button>
        <Button
          look="secondary small"
          aria-expanded={hasCode.value}
          run={() => {
            hasCode.value = !hasCode.value;
          }}
        >
          QR code
        </Button>
      </div>
      {hasCode.value && <QrCode text={link.url} label={`QR code: ${linkName(link)}`} />}
    </>
  );
}

/** Returns the address that opens a message to the person, with a short text. */
function mailTo({ recipient, recipientEmail, url, hasPassword }: Made, title: string): string {
  const address = recipientEmail ?? (recipient?.includes("@") ? recipient : "");
  const to = encodeURIComponent(address);
  const hello = recipient && !recipient.includes("@") ? `Hello ${recipient},\n\n` : "";
  const locked = hasPassword ? "\n\nIt asks for a password, which I send separately." : "";
  const body = `${hello}${title} is here:\n${url}${locked}\n\n${account.name}`;
  return `mailto:${to}?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(body)}`;
}
