/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { copyText } from "../../share/copy.ts";
import type { Made } from "../../share/create.ts";
import { MadeLinks } from "../../share/made-links.tsx";
import "../../share/share.css";
import { MAX_PACK_DAYS, MAX_PACK_NAME } from "../../../../modules/briefs/inbox/pack-shapes.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { draftOf } from "../../ui/draft.ts";
import { Field, Switch, TextField } from "../../ui/field.tsx";
import { DialogForm } from "../../ui/form-dialog.tsx";
import type { Wrong } from "../../ui/use-form.ts";
import type { Brief } from "./types.ts";

type Result = { links: readonly Made[]; title: string; isCopied: boolean };

type SendProps = { brief: Brief; trackIds: readonly string[]; onClose: () => void };
type Form = { name: string; days: string; allowDownload: boolean };

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
  const form = useSignal<Form>({ name: brief.name, days: "14", allowDownload: false });
  const people = draftOf(`pack ${brief.id}`);
  const send = async () => {
    made.value = await sendPack(brief.id, trackIds, form.peek(), people.peek() ?? "");
    people.value = undefined;
  };
  return (
    <DialogForm verb="Create links" onClose={onClose} send={send}>
      {(wrong) => (
        <SendFields
          form={form.value}
          people={people}
          wrong={wrong}
          onChange={(change) => {
            form.value = { ...form.peek(), ...change };
          }}
        />
      )}
    </DialogForm>
  );
}

type FieldsProps = {
  form: Form;
  people: Signal<string | undefined>;
  wrong: Wrong;
  onChange: (change: Partial<Form>) => void;
};

function SendFields({ form: { name, days, allowDownload }, people, wrong, onChange }: FieldsProps) {
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
        hint="One person per line. Each gets their own link, so you can see who listened."
        value={people.value ?? ""}
        required
        error={wrong.recipients}
        autofocus
        onInput={({ currentTarget }) => {
          people.value = currentTarget.value;
        }}
      />
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
      <Switch
        label="Allow downloads"
        isOn={allowDownload}
        onChange={(isOn) => onChange({ allowDownload: isOn })}
      />
    </>
  );
}

/** @throws ApiError */
async function sendPack(
  briefId: string,
  trackIds: readonly string[],
  { name, days, allowDownload }: Form,
  people: string,
): Promise<Result> {
  const recipients = people.split(/[\n,;]+/).flatMap((each) => each.trim() || []);
  const body = {
    name: name.trim(),
    trackIds: [...trackIds],
    recipients,
    expiresInDays: Number(days),
    allowDownload,
  };
  const { links, name: title } = await dataOf(
    api.POST("/app/briefs/{id}/pack", { params: { path: { id: briefId } }, body }),
  );
  changed("playlists", null);
  changed("shares", null);
  return { links, title, isCopied: await copyText(links.map(({ url }) => url).join("\n")) };
}
