/** @jsxRuntime automatic @jsxImportSource preact */
import { canSendMail } from "../../api/library.ts";
import { decideMail } from "../../share/mails.tsx";
import { Button } from "../../ui/button.tsx";
import type { Asked } from "./types.ts";

type Props = { mail: Asked["mail"]; who: string; onDone: () => void };

/** What can be done about the mail to somebody who was asked. */
export function MailDeeds({ mail, who, onDone }: Props) {
  if (!mail || !canSendMail()) return null;
  const { id, state } = mail;
  if (state === "waiting")
    return (
      <Button
        look="quiet small"
        label={`Cancel the mail to ${who}`}
        run={() => decideMail(id, "cancel", "Mail cancelled").then(onDone)}
      >
        Cancel
      </Button>
    );
  if (state !== "refused" && state !== "unsure") return null;
  return (
    <Button
      look="secondary small"
      label={`Send again to ${who}`}
      run={() => decideMail(id, "again", `On its way to ${who}`).then(onDone)}
    >
      Send again
    </Button>
  );
}
