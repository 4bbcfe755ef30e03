/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { MAX_PACK_DAYS, MAX_PACK_NAME } from "../../../../modules/briefs/inbox/pack-shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { canSendMail } from "../../api/library.ts";
import { changed } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";
import { copyText } from "../../share/copy.ts";
import type { Made } from "../../share/create.ts";
import { MadeLinks } from "../../share/made-links.tsx";
import { MailFields, mailOf, useMailForm } from "../../share/mail-fields.tsx";
import { previewMail, recipientsOf } from "../../share/mail-preview.tsx";
import { sendTo } from "../../share/mail-words.ts";
import { once } from "../../share/once.ts";
import { readOpens } from "../../share/opens.ts";
import { type Emails, RecipientMails, type Row } from "../../share/recipient-mails.tsx";
import { readRecipients } from "../../share/recipients.ts";
import { Opens } from "../../share/settings.tsx";
import "../../share/share.css";
import { Dialog } from "../../ui/dialog.tsx";
import { draftOf } from "../../ui/draft.ts";
import { Field, Switch, TextField } from "../../ui/field.tsx";
import { DialogForm } from "../../ui/form-dialog.tsx";
import type { Wrong } from "../../ui/use-form.ts";
import type { Brief } from "./types.ts";

type Result = { links: readonly Made[]; title: string; isCopied: boolean; isMailed: boolean };

type SendProps = { brief: Brief; trackIds: readonly string[]; onClose: () => void };
type Form = { name: string; days: string; opens: string; askAnswer: boolean; allowDownload: boolean };
type SendPack = Body<"POST /app/briefs/{id}/pack">;

/** Sends songs as one playlist, with a link of their own for each person, which ends. */
export function SendDialog({ brief, trackIds, onClose }: SendProps) {
  const made = useSignal<Result | undefined>(undefined);
  return (
    <Dialog label="Send the shortlist" kind="share" onClose={onClose}>
      {made.value ? (
        <MadeLinks {...made.value} onDone={onClose} />
      ) : (
        <SendForm brief={brief} trackIds={trackIds} onClose={onClose} made={made} />
      )}
    </Dialog>
  );
}

function SendForm({ brief, trackIds, onClose, made }: SendProps & { made: Signal<Result | undefined> }) {
  const form = useSignal<Form>({
    name: brief.name,
    days: "14",
    opens: "",
    askAnswer: false,
    allowDownload: false,
  });
  const people = draftOf(`pack ${brief.id}`);
  const emails: Emails = useSignal({});
  const mail = useMailForm();
  const rows = rowsOf(people.value ?? "", emails.value);
  const addressed = rows.filter(({ email }) => email.trim() !== "");
  const pack = (isMailed: boolean): SendPack => ({
    ...bodyOf(form.peek(), trackIds, rows),
    ...(isMailed && { mail: mailOf(mail.peek(), form.peek().opens) }),
  });
  const send = async (isMailed: boolean) => {
    requireOpens(form.peek().opens);
    const [params, body] = [{ path: { id: brief.id } }, pack(isMailed)];
    const { links, name: title } = await once({ ...params, ...body }, (headers) =>
      dataOf(api.POST("/app/briefs/{id}/pack", { params, body, headers })),
    );
    changed("playlists", null);
    changed("shares", null);
    const isCopied = !isMailed && (await copyText(links.map(({ url }) => url).join("\n")));
    made.value = { links, title, isCopied, isMailed };
    people.value = undefined;
  };
  const mailing = {
    verb: sendTo(addressed.length),
    send: () => send(true),
    preview: {
      verb: "Preview",
      run: () => {
        const {
          name,
          trackIds: ids,
          expiresInDays,
          notBefore = null,
          askAnswer = false,
          mail: said,
        } = pack(true);
        const draft = { name, trackIds: ids, expiresInDays, notBefore, askAnswer, ...said };
        return previewMail({ kind: "pack", ...draft, recipients: recipientsOf(addressed) });
      },
    },
  };
  return (
    <DialogForm
      verb="Create links"
      onClose={onClose}
      send={() => send(false)}
      also={addressed.length > 0 ? mailing : undefined}
    >
      {(wrong) => (
        <>
          <SendFields
            form={form.value}
            people={people}
            wrong={wrong}
            onChange={(change) => {
              form.value = { ...form.peek(), ...change };
            }}
          />
          {canSendMail() && <RecipientMails rows={rows} emails={emails} error={wrong.recipientEmails} />}
          {addressed.length > 0 && (
            <MailFields form={mail} opensLater={form.value.opens.trim() !== ""} error={wrong.mail} />
          )}
        </>
      )}
    </DialogForm>
  );
}

/** The people of the lines; of a line with an address, that one. */
function rowsOf(people: string, emails: Readonly<Record<string, string>>): Row[] {
  if (!canSendMail())
    return people.split(/[\n,;]+/).flatMap((each) => {
      const name = each.trim();
      return name === "" ? [] : { key: name, name, email: "" };
    });
  return readRecipients(people).map(({ name, email }) => ({ key: name, name, email: emails[name] ?? email }));
}

function bodyOf(
  { name, days, opens, askAnswer, allowDownload }: Form,
  trackIds: readonly string[],
  rows: readonly Row[],
): SendPack {
  const hasAddress = rows.some(({ email }) => email.trim() !== "");
  return {
    name: name.trim(),
    trackIds: [...trackIds],
    recipients: rows.map((row) => row.name),
    ...(hasAddress && { recipientEmails: rows.map(({ email }) => email.trim() || null) }),
    ...(opens.trim() !== "" && { notBefore: readOpens(opens) ?? null }),
    askAnswer,
    expiresInDays: Number(days),
    allowDownload,
  };
}

/** @throws ApiError for a time that cannot be read. */
function requireOpens(opens: string): void {
  if (readOpens(opens) !== undefined) return;
  throw new ApiError(400, "validation_failed", "Invalid request", [
    { path: "notBefore", code: "format", detail: "must be a future time" },
  ]);
}

type FieldsProps = {
  form: Form;
  people: Signal<string | undefined>;
  wrong: Wrong;
  onChange: (change: Partial<Form>) => void;
};

function SendFields({ form, people, wrong, onChange }: FieldsProps) {
  const { name, days, opens, askAnswer, allowDownload } = form;
  return (
    <>
      <Field
        label="Playlist name"
        maxLength={MAX_PACK_NAME}
        required
        error={wrong.name}
        value={name}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextField
        label="For whom"
        hint={canSendMail() ? WITH_ADDRESSES : EACH_THEIR_OWN}
        value={people.value ?? ""}
        required
        error={wrong.recipients}
        autofocus
        onInput={({ currentTarget }) => {
          people.value = currentTarget.value;
        }}
      />
      <div class="share-limits">
        <Opens opens={opens} problem={wrong.notBefore} onChange={onChange} />
        <Field
          label="Ends after (days)"
          type="number"
          min={1}
          max={MAX_PACK_DAYS}
          required
          error={wrong.expiresInDays}
          value={days}
          onInput={({ currentTarget }) => onChange({ days: currentTarget.value })}
        />
      </div>
      <Switch
        label="Allow downloads"
        isOn={allowDownload}
        onChange={(isOn) => onChange({ allowDownload: isOn })}
      />
      <Switch
        label="Ask for an answer"
        hint="Each person can press Interested, Pass, Need instrumental or Ask for terms, for each song."
        isOn={askAnswer}
        onChange={(isOn) => onChange({ askAnswer: isOn })}
      />
    </>
  );
}

const EACH_THEIR_OWN = "One person per line. Each gets their own link, so you can see who listened.";
const WITH_ADDRESSES =
  "One person per line, such as Ada Lind <ada@example.com>. Each gets their own link, so you can see who listened.";
