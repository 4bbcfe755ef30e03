/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_NAME } from "../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../api/client.ts";
import { hrefOfLibrary } from "../first-data.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { typed } from "../ui/use-form.ts";

/** Founds another library, and goes there. */
export function NewLibraryDialog({ onClose }: { onClose: () => void }) {
  const name = useSignal("");
  const send = async () => {
    const { id } = await dataOf(api.POST("/app/libraries", { body: { name: name.value } }));
    return () => location.assign(hrefOfLibrary(id));
  };
  return (
    <FormDialog label="New library" verb="Create" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <p class="soft">
            It begins empty, and you are its owner. Nothing is shared with your other libraries.
          </p>
          <Field label="Name" autofocus required maxLength={MAX_NAME} error={wrong.name} {...typed(name)} />
        </>
      )}
    </FormDialog>
  );
}
