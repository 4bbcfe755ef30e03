/** @jsxRuntime automatic @jsxImportSource preact */
import { canSendMail } from "../../api/library.ts";
import { MailLine, useMails } from "../../share/mails.tsx";
import { Button } from "../../ui/button.tsx";
import { day, wholeTime } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { SendLinkDialog } from "./send-link.tsx";
import type { Link } from "./state.ts";

/** What became of the mails about a link. */
export function LinkMails({ link }: { link: Link }) {
  const { id, recipient, revokedAt } = link;
  const mails = useMails(id);
  if (!canSendMail() || (mails.length === 0 && recipient === null)) return null;
  return (
    <section class="link-mails" aria-labelledby="link-mails">
      <h2 id="link-mails">Mails</h2>
      {recipient !== null && revokedAt === null && (
        <Button
          look="secondary small"
          run={() => showDialog((close) => <SendLinkDialog link={link} onClose={close} />)}
        >
          Send by mail…
        </Button>
      )}
      <ul aria-labelledby="link-mails">
        {mails.map((mail) => (
          <li key={mail.id}>
            <p>
              {mail.kind === "reminder" ? "Reminder" : "Link"} to {mail.toEmail}{" "}
              <span class="soft" title={wholeTime(mail.createdAt)}>
                {day(mail.createdAt)}
                {mail.madeBy && ` by ${mail.madeBy.name}`}
              </span>
            </p>
            <MailLine mail={mail} canMark />
          </li>
        ))}
      </ul>
    </section>
  );
}
