/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_MESSAGE, MAX_SUBMITTER_NAME } from "../../../../modules/briefs/briefs/shapes.ts";
import { MAX_EMAIL } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { changed, query } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { copyLink } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { typed } from "../../ui/use-form.ts";
import type { Asked, Brief } from "./types.ts";

/** The people who were asked by name, each with their own link. */
export function AskedPeople({ brief }: { brief: Brief }) {
  const { items } = usePages(
    query(
      "/app/briefs/{id}/requests",
      { path: { id: brief.id }, query: { limit: 200 } },
      { submissions: [brief.id] },
    ),
  );
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
      {items && items.length > 0 && (
        <PlainTable label="Asked" columns={["Who", "Asked", "Sent"]} hasActions>
          {items.map((asked) => (
            <AskedRow key={asked.id} asked={asked} brief={brief} />
          ))}
        </PlainTable>
      )}
    </section>
  );
}

const nameOf = ({ name, email }: Asked): string => name ?? email;

function AskedRow({ asked, brief }: { asked: Asked; brief: Brief }) {
  const { name, email, createdAt, submissionCount } = asked;
  return (
    <tr>
      <th scope="row">
        {nameOf(asked)}
        {name !== null && email !== "" && <span class="soft"> {email}</span>}
      </th>
      <td data-label="Asked">{day(createdAt)}</td>
      <td data-label="Sent">{submissionCount === 0 ? "Nothing yet" : submissionCount}</td>
      <td class="row-actions">
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
  const send = async () => {
    const body = {
      name: name.value.trim() || null,
      email: email.value.trim() || null,
      message: message.value.trim() || null,
    };
    const asked = await dataOf(
      api.POST("/app/briefs/{id}/requests", { params: { path: { id: brief.id } }, body }),
    );
    changed("submissions", [brief.id]);
    void copyLink(asked.link);
  };
  return (
    <FormDialog label="Ask someone" verb="Create link" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <Field label="Name" autofocus maxLength={MAX_SUBMITTER_NAME} error={wrong.name} {...typed(name)} />
          <Field
            label="E-mail"
            type="email"
            hint="A name or an e-mail address is enough."
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
          <TextField
            label="Message"
            hint="Shown on their page."
            maxLength={MAX_MESSAGE}
            error={wrong.message}
            {...typed(message)}
          />
        </>
      )}
    </FormDialog>
  );
}
