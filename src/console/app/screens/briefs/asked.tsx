/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_MESSAGE, MAX_SUBMITTER_NAME } from "../../../../modules/briefs/briefs/shapes.ts";
import { MAX_EMAIL } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { canSendMail } from "../../api/library.ts";
import { usePages } from "../../api/pages.ts";
import { changed, query } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { copyLink } from "../../share/copy.ts";
import { useMailNews } from "../../share/mail-news.ts";
import { previewMail, recipientsOf } from "../../share/mail-preview.tsx";
import { MailWords } from "../../share/mail-told.tsx";
import { sendTo } from "../../share/mail-words.ts";
import { once } from "../../share/once.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { funnelSentence } from "./funnel.ts";
import { MailDeeds } from "./mail-deeds.tsx";
import type { Asked, Brief } from "./types.ts";

/** The people who were asked by name, each with their own link. */
export function AskedPeople({ brief }: { brief: Brief }) {
  const { items, isWhole } = usePages(
    query(
      "/app/briefs/{id}/requests",
      { path: { id: brief.id }, query: { limit: 200 } },
      { submissions: [brief.id] },
    ),
  );
  const mails = items?.flatMap(({ mail }) => mail ?? []) ?? [];
  const hasMails = mails.length > 0;
  useMailNews(mails, () => changed("submissions", [brief.id]));
  return (
    <section class="brief-part" aria-labelledby="brief-asked">
      <header>
        <h2 id="brief-asked">Asked by name</h2>
        <Button
          look="secondary"
          icon="add"
          run={() => showDialog((close) => <AskDialog brief={brief} onClose={close} />)}
        >
          Ask someone
        </Button>
      </header>
      {items?.length === 0 && (
        <p class="soft">
          A personal link works while the brief is open, with or without the public page, and tells you who
          sent what.
        </p>
      )}
      {items && items.length > 0 && isWhole && <p>{funnelSentence(items)}</p>}
      {items && items.length > 0 && (
        <PlainTable
          label="Asked"
          columns={["Who", "Asked", ...(hasMails ? ["Mail"] : []), "Sent"]}
          hasActions
        >
          {items.map((asked) => (
            <AskedRow key={asked.id} asked={asked} brief={brief} hasMails={hasMails} />
          ))}
        </PlainTable>
      )}
    </section>
  );
}

const nameOf = ({ name, email }: Asked): string => name ?? email;

type RowProps = { asked: Asked; brief: Brief; hasMails: boolean };

function AskedRow({ asked, brief, hasMails }: RowProps) {
  const { name, email, createdAt, submissionCount, mail } = asked;
  return (
    <tr>
      <th scope="row">
        {nameOf(asked)}
        {name !== null && email !== "" && <span class="soft"> {email}</span>}
      </th>
      <td data-label="Asked">{day(createdAt)}</td>
      {hasMails && (
        <td data-label="Mail">
          <MailWords mail={mail} />
        </td>
      )}
      <td data-label="Sent">{submissionCount === 0 ? "Nothing yet" : submissionCount}</td>
      <td class="row-actions">
        <MailDeeds mail={mail} who={nameOf(asked)} onDone={() => changed("submissions", [brief.id])} />
        <Button look="quiet small" label={`Copy link for ${nameOf(asked)}`} run={() => copyLink(asked.link)}>
          Copy
        </Button>
        <a
          class="button quiet small"
          aria-label={`E-mail the link to ${nameOf(asked)}`}
          href={mailTo(asked, brief)}
        >
          E-mail
        </a>
      </td>
    </tr>
  );
}

function mailTo({ name, email, message, link }: Asked, brief: Brief): string {
  const body = `Hello${name ? ` ${name}` : ""},\n\n${message ?? `I am looking for music: ${brief.name}.`}\n\nPlease send it here:\n${link}\n\n${account.name}`;
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(brief.name)}&body=${encodeURIComponent(body)}`;
}

function AskDialog({ brief, onClose }: { brief: Brief; onClose: () => void }) {
  const [name, email, message] = [useSignal(""), useSignal(""), useSignal("")];
  const written = () => ({
    name: name.peek().trim() || null,
    email: email.peek().trim() || null,
    message: message.peek().trim() || null,
  });
  const create = async (mail: boolean) => {
    const body = { ...written(), ...(mail && { mail }) };
    const params = { path: { id: brief.id } };
    const asked = await once({ ...params, ...body }, (headers) =>
      dataOf(api.POST("/app/briefs/{id}/requests", { params, body, headers })),
    );
    changed("submissions", [brief.id]);
    if (mail) toast(`On its way to ${nameOf(asked)}`);
    else void copyLink(asked.link);
  };
  const mailing = {
    verb: sendTo(1),
    send: () => create(true),
    preview: {
      verb: "Preview",
      run: () => {
        const person = { name: name.peek().trim(), email: email.peek() };
        const [who] = recipientsOf([{ ...person, name: person.name || person.email.trim() }]);
        const recipients = who ? [who] : [];
        return previewMail({ kind: "brief", briefId: brief.id, message: message.peek(), recipients });
      },
    },
  };
  const isOpen = brief.status === "open";
  const isMailed = canSendMail() && isOpen && email.value.trim() !== "";
  return (
    <FormDialog
      label="Ask someone"
      verb="Create link"
      onClose={onClose}
      send={() => create(false)}
      also={isMailed ? mailing : undefined}
    >
      {(wrong) => (
        <>
          <Field label="Name" autofocus maxLength={MAX_SUBMITTER_NAME} error={wrong.name} {...typed(name)} />
          <Field
            label="E-mail"
            type="email"
            hint={
              canSendMail() && !isOpen
                ? "A name or an e-mail address is enough. Mails go out once the brief is open."
                : "A name or an e-mail address is enough."
            }
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
          <TextField
            label="Message"
            hint={canSendMail() ? "Shown in the mail and on their page." : "Shown on their page."}
            maxLength={MAX_MESSAGE}
            error={wrong.message}
            {...typed(message)}
          />
        </>
      )}
    </FormDialog>
  );
}
