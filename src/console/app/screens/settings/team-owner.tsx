/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { readRole } from "../../api/library.ts";
import { href } from "../../first-data.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { proved } from "./proof.tsx";
import { type Member, readTeam } from "./team-queries.ts";

/** Leaves the library, after a question. */
export async function leave({ name }: { name: string }): Promise<void> {
  const said = "You can come back only by a new invitation. What you made stays.";
  if (!(await confirmFinal(`Leave ${name}?`, `Leave ${name}`, said))) return;
  await dataOf(api.POST("/app/team/leave"));
  // To another library, or to the sign-in.
  location.assign(href("/library"));
}

/** Makes another member the owner. */
export function HandOverDialog({ others, onClose }: { others: readonly Member[]; onClose: () => void }) {
  const chosen = useSignal(others[0]?.id ?? "");
  const password = useSignal("");
  const name = others.find(({ id }) => id === chosen.value)?.person.name ?? "";
  const handOver = async () => {
    const own = password.value === "" ? {} : { currentPassword: password.value };
    await dataOf(api.POST("/app/team/owner", { body: { memberId: chosen.value, ...own } }));
    toast(`${name} is the owner now`);
    await readRole();
    readTeam();
  };
  return (
    <FormDialog
      label="Hand over the library"
      verb="Hand over"
      isDanger
      onClose={onClose}
      send={() => proved(handOver)}
    >
      {(wrong) => (
        <>
          <SelectField
            label="New owner"
            value={chosen.value}
            options={others.map(({ id, person }) => ({ value: id, name: person.name }))}
            onChange={(id) => {
              chosen.value = id;
            }}
          />
          <p class="soft">
            {name} becomes the owner. You stay as manager, and only {name} can give it back.
          </p>
          <Field
            label="Your password"
            type="password"
            hint="Not needed within ten minutes of signing in."
            autocomplete="current-password"
            error={wrong.currentPassword}
            {...typed(password)}
          />
        </>
      )}
    </FormDialog>
  );
}
