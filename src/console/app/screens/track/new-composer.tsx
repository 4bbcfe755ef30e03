/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_EMAIL, MAX_WORDS } from "../../../../modules/library/composers/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { typed } from "../../ui/use-form.ts";
import type { Composer } from "./queries.ts";

type NewComposerProps = {
  name: string;
  onClose: () => void;
  onCreated: (composer: Pick<Composer, "id" | "fullName">) => void;
};

/** A composer whom the account does not have yet. Only the name is needed. */
export function NewComposer({ name, onClose, onCreated }: NewComposerProps) {
  const fullName = useSignal(name);
  const [email, pro, ipi] = [useSignal(""), useSignal(""), useSignal("")];
  const send = async () => {
    const body = {
      fullName: fullName.value.trim(),
      email: email.value.trim() || null,
      pro: pro.value.trim() || null,
      ipi: ipi.value.trim() || null,
    };
    onCreated(await dataOf(api.POST("/app/composers", { body })));
    changed("composers", null);
  };
  return (
    <FormDialog label="New composer" verb="Create" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <Field
            label="Full name"
            hint="A name is enough. You can add the rest later under Composers."
            maxLength={MAX_WORDS}
            autofocus
            error={wrong.fullName}
            {...typed(fullName)}
          />
          <Field label="E-mail" type="email" maxLength={MAX_EMAIL} error={wrong.email} {...typed(email)} />
          <Field label="PRO" maxLength={MAX_WORDS} error={wrong.pro} {...typed(pro)} />
          <Field label="IPI" maxLength={MAX_WORDS} error={wrong.ipi} {...typed(ipi)} />
        </>
      )}
    </FormDialog>
  );
}
