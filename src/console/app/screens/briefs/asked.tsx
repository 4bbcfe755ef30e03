/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { sentenceOf } from "../../api/errors.ts";
import { usePages } from "../../api/pages.ts";
import { changed } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { copyText } from "../../share/copy.ts";
import { day } from "../../ui/dates.ts";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Asked, Brief } from "./types.ts";

/** The people who were asked by name, each with their own link. */
export function AskedPeople({ brief }: { brief: Brief }) {
  const { items } = usePages<Asked>(`/app/briefs/${brief.id}/requests?limit=200`, {
    submissions: [brief.id],
  });
  return (
    <section class="brief-part" aria-labelledby="brief-asked">
      <header>
        <h2 id="brief-asked">Asked by name</h2>
        <button
          type="button"
          class="button secondary"
          onClick={() => showDialog((close) => <AskDialog brief={brief} onClose={close} />)}
        >
          <Icon name="add" />
          Ask someone
        </button>
      </header>
      {items?.length === 0 && (
        <p class="soft">
          A personal link works while the brief is open, with or without the public page, and says who sent
          what.
        </p>
      )}
      {items && items.length > 0 && (
        <div class="brief-table">
          <table aria-label="Asked">
            <thead>
              <tr>
                <th scope="col">Who</th>
                <th scope="col">Asked</th>
                <th scope="col">Sent</th>
                <th scope="col">Link</th>
              </tr>
            </thead>
            <tbody>
              {items.map((asked) => (
                <AskedRow key={asked.id} asked={asked} brief={brief} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const nameOf = ({ name, email }: Asked): string => name ?? email;

function AskedRow({ asked, brief }: { asked: Asked; brief: Brief }) {
  const { name, email, createdAt, submissionCount } = asked;
  return (
    <tr>
      <td>
        <strong>{nameOf(asked)}</strong>
        {name !== null && email !== "" && <span class="soft"> {email}</span>}
      </td>
      <td>{day(createdAt)}</td>
      <td>{submissionCount === 0 ? <span class="soft">Nothing yet</span> : submissionCount}</td>
      <td>
        <div class="brief-row-tools">
          <button
            type="button"
            class="button secondary small"
            aria-label={`Copy link for ${nameOf(asked)}`}
            onClick={() => void copyLink(asked)}
          >
            Copy
          </button>
          <a
            class="button secondary small"
            aria-label={`E-mail the link to ${nameOf(asked)}`}
            href={mailTo(asked, brief)}
          >
            E-mail
          </a>
        </div>
      </td>
    </tr>
  );
}

async function copyLink(asked: Asked): Promise<void> {
  if (await copyText(asked.link)) toast("Link copied");
  else toast(`The browser did not allow copying: ${asked.link}`, { kind: "alert" });
}

function mailTo({ name, email, message, link }: Asked, brief: Brief): string {
  const body = `Hello${name ? ` ${name}` : ""},\n\n${message ?? `I am looking for music: ${brief.name}.`}\n\nPlease send it here:\n${link}\n\n${account.name}`;
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(brief.name)}&body=${encodeURIComponent(body)}`;
}

function AskDialog({ brief, onClose }: { brief: Brief; onClose: () => void }) {
  const [name, email, message] = [useSignal(""), useSignal(""), useSignal("")];
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const ask = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      const body = {
        name: name.value.trim() || null,
        email: email.value.trim() || null,
        message: message.value.trim() || null,
      };
      const asked = await dataOf(
        api.POST("/app/briefs/{id}/requests", { params: { path: { id: brief.id } }, body }),
      );
      changed("submissions", [brief.id]);
      onClose();
      await copyLink(asked);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  const bind = (value: typeof name) => ({
    value: value.value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      value.value = currentTarget.value;
    },
  });
  return (
    <Dialog label="Ask someone" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Field label="Name" autofocus maxLength={200} {...bind(name)} />
        <Field
          label="E-mail"
          type="email"
          hint="Either of the two is enough."
          maxLength={254}
          {...bind(email)}
        />
        <TextField label="Message" hint="It stands on their page." maxLength={2000} {...bind(message)} />
        {problem.value !== undefined && (
          <p class="field-error" role="alert">
            {problem.value}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button" aria-disabled={isBusy.value}>
            Create link
          </button>
        </div>
      </form>
    </Dialog>
  );
}
