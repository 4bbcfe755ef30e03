/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { sentenceOf } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { copyText } from "../../share/copy.ts";
import type { Made } from "../../share/create.ts";
import { MadeLinks } from "../../share/made-links.tsx";
import "../../share/share.css";
import { Dialog } from "../../ui/dialog.tsx";
import { draftOf } from "../../ui/draft.ts";
import { Field, Switch, TextField } from "../../ui/field.tsx";
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
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const set = (change: Partial<Form>) => {
    form.value = { ...form.peek(), ...change };
  };
  const send = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      made.value = await sendPack(brief.id, trackIds, form.peek(), people.peek() ?? "");
      people.value = undefined;
    } catch (thrown) {
      problem.value = thrown instanceof RangeError ? thrown.message : sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <SendFields form={form.value} people={people} onChange={set} />
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
          Create links
        </button>
      </div>
    </form>
  );
}

type FieldsProps = {
  form: Form;
  people: Signal<string | undefined>;
  onChange: (change: Partial<Form>) => void;
};

function SendFields({ form: { name, days, allowDownload }, people, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Playlist name"
        maxLength={200}
        value={name}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextField
        label="For whom"
        hint="One person per line. Each gets a link of their own, and you see who listened."
        value={people.value ?? ""}
        autofocus
        onInput={({ currentTarget }) => {
          people.value = currentTarget.value;
        }}
      />
      <Field
        label="Ends after days"
        type="number"
        min={1}
        max={365}
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

/** @throws RangeError for people to read; ApiError */
async function sendPack(
  briefId: string,
  trackIds: readonly string[],
  { name, days, allowDownload }: Form,
  people: string,
): Promise<Result> {
  const recipients = people.split(/[\n,;]+/).flatMap((each) => each.trim() || []);
  if (recipients.length === 0) throw new RangeError("Name at least one person.");
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
