/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_EMAIL, MAX_NAME } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import type { AnswerOf } from "../../api/queries.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { showLink } from "./link-dialog.tsx";

/** An account of the server. */
export type ServerAccount = AnswerOf<"/app/accounts">["data"][number];

type DialogProps = { onClose: () => void; onDone: () => void };
type OfAccount = DialogProps & { account: ServerAccount };

/** Makes an account, and shows the link with which its owner sets a password. */
export function InviteDialog({ onClose, onDone }: DialogProps) {
  const [name, email] = [useSignal(""), useSignal("")];
  const send = async () => {
    const body = { name: name.value, email: email.value };
    const made = await dataOf(api.POST("/app/accounts", { body }));
    onDone();
    return () => showInvitation(made);
  };
  return (
    <FormDialog label="Invite someone" verb="Make account" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <Field label="Name" autofocus required maxLength={MAX_NAME} error={wrong.name} {...typed(name)} />
          <Field
            label="E-mail"
            type="email"
            required
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Shows the link with which a person sets their password. */
export function showInvitation({ email, url }: { email: string; url: string }): void {
  showLink({ email, url, note: "Send it to them yourself. It works once and expires in an hour." });
}

/** Sets how many searches by description an account may still make. */
export function CreditsDialog({ account: { id, name, credits }, onClose, onDone }: OfAccount) {
  const count = useSignal(credits === null ? "" : String(credits));
  const send = async () => {
    const body = { credits: count.value.trim() === "" ? null : Number(count.value) };
    await dataOf(api.PATCH("/app/accounts/{id}", { params: { path: { id } }, body }));
    toast("Saved");
    onDone();
  };
  return (
    <FormDialog label={`Credits of ${name}`} verb="Save" onClose={onClose} send={send}>
      {(wrong) => (
        <Field
          label="Credits"
          hint="How many searches by description are left. Leave it empty for no limit."
          type="number"
          min={0}
          autofocus
          error={wrong.credits}
          {...typed(count)}
        />
      )}
    </FormDialog>
  );
}

/** Makes somebody the owner of a library, whether or not its owner wants that. */
export function GiveDialog({ account: { id, name, owner }, onClose, onDone }: OfAccount) {
  const email = useSignal("");
  const send = async () => {
    const body = { email: email.value };
    const given = await dataOf(api.POST("/app/accounts/{id}/owner", { params: { path: { id } }, body }));
    toast(`${given.owner.name} is the owner of ${name} now`);
    onDone();
  };
  return (
    <FormDialog label={`Give ${name} to somebody`} verb="Give" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <p class="soft">
            They become its owner at once, whether or not they are in it. {owner.name} stays as manager.
            Everybody in it is told.
          </p>
          <Field
            label="E-mail"
            hint="The address of somebody who signs in here."
            type="email"
            required
            autofocus
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Deletes an account, after its address was typed. */
export function DeleteDialog({ account: { id, name, email }, onClose, onDone }: OfAccount) {
  const repeated = useSignal("");
  const send = async () => {
    const body = { email: repeated.value };
    await dataOf(api.DELETE("/app/accounts/{id}", { params: { path: { id } }, body }));
    toast(`${name} deleted`);
    onDone();
  };
  const isReady = repeated.value.trim().toLowerCase() === email;
  return (
    <FormDialog
      label={`Delete ${name} for good?`}
      verb="Delete"
      isDanger
      isReady={isReady}
      onClose={onClose}
      send={send}
    >
      {(wrong) => (
        <>
          <p class="soft">
            The account is deleted with its tracks, playlists, links and statistics. The files stay in
            quarantine.
          </p>
          <Field label={`Type ${email} to go on`} autofocus error={wrong.email} {...typed(repeated)} />
        </>
      )}
    </FormDialog>
  );
}
