/** @jsxRuntime automatic @jsxImportSource preact */
import { copy } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Switch } from "../../ui/field.tsx";
import { KeptField, useKeptFields } from "../../ui/kept-field.tsx";
import { type Brief, type Change, changeBrief } from "./types.ts";

type Name = "name" | "description" | "contactEmail" | "deadline";

/** Under what a text of the brief is kept while the server does not have it. */
export const draftName = (id: string, name: Name): string => `brief ${id} ${name}`;

/** Returns a text of the brief as its field has it. */
export const fieldText = (brief: Brief, name: Name): string =>
  name === "deadline" ? (brief.deadline ?? "").slice(0, 10) : (brief[name] ?? "");

/** The text of a brief. Each field is saved when it is left. */
export function BriefForm({ brief }: { brief: Brief }) {
  const { id, publicPage, paid, publicUrl, status } = brief;
  const set = (change: Change) => changeBrief(id, change);
  const { kept, said } = useKeptFields<Name>(
    `brief ${id}`,
    (name) => fieldText(brief, name),
    (name, text) => set({ [name]: text === "" && name !== "name" ? null : text } as Change),
  );
  return (
    <section class="brief-form" aria-label="Brief">
      <KeptField label="Name" {...kept("name")} />
      <KeptField
        label="Description"
        isLong
        hint="What you are looking for, in your own words."
        {...kept("description")}
      />
      <div class="brief-form-pair">
        <KeptField
          label="Deadline"
          type="date"
          hint="Until the end of this day (UTC)."
          {...kept("deadline")}
        />
        <KeptField label="Contact e-mail" type="email" hint="For questions." {...kept("contactEmail")} />
      </div>
      <Switch
        label="Public page"
        hint="Anyone with its address may send music."
        isOn={publicPage}
        onChange={(isOn) => set({ publicPage: isOn })}
      />
      {publicUrl !== null && <PublicAddress url={publicUrl} isOpen={status === "open"} />}
      <Switch
        label="Paid"
        hint="Submissions from now on count as paid."
        isOn={paid}
        onChange={(isOn) => set({ paid: isOn })}
      />
      <p class="soft kept-said" role="status">
        {said}
      </p>
    </section>
  );
}

function PublicAddress({ url, isOpen }: { url: string; isOpen: boolean }) {
  return (
    <div class="brief-address">
      <Field
        label="Address of the page"
        readOnly
        value={url}
        hint={isOpen ? undefined : "The page accepts music once the brief is open."}
      />
      <Button look="secondary" run={() => copy(url, "Address copied")}>
        Copy
      </Button>
    </div>
  );
}
