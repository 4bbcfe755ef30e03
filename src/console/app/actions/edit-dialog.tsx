/** @jsxRuntime automatic @jsxImportSource preact */
import { useMemo } from "preact/hooks";
import { can } from "../api/library.ts";
import { query, useQuery } from "../api/queries.ts";
import { CreditEditor, linesOf } from "../screens/track/credits.tsx";
import { Button } from "../ui/button.tsx";
import { Check } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toastError } from "../ui/toast.tsx";
import { begin, type Target, tracksText } from "./bulk.ts";
import "./edit-dialog.css";
import { Choice, CoverField, SharedField } from "./edit-fields.tsx";
import { type Common, createEdit, type Edit, FIELDS } from "./edit-form.ts";

const taxonomyQuery = query("/app/library/taxonomy", {}, {});

type EditProps = { target: Target; common: Common; onClose: () => void };

/** Edits tracks as a set. Only the fields that were touched are changed; one "Undo" takes all of it back. */
export function EditDialog({ target, common, onClose }: EditProps) {
  const form = useMemo(createEdit, []);
  const genres = useQuery(taxonomyQuery).data?.data.genres ?? [];
  const send = async () => {
    const { doing, said } = form.read((name) =>
      genres.find((genre) => genre.name.toLowerCase() === name.toLowerCase()),
    );
    const { ended } = await begin(target, doing, {
      during: `Changing ${said}`,
      after: (tracks) => `${capital(said)} of ${tracks} changed`,
    });
    // The form closes: a toast says how far the change is.
    void ended.catch(toastError);
  };
  return (
    <FormDialog
      label={`Edit ${tracksText(common.count)}`}
      verb="Apply"
      kind="wide"
      isReady={form.isTouched()}
      onClose={onClose}
      send={send}
    >
      {() => (
        <div class="edit-many">
          <div class="edit-grid">
            {FIELDS.map(({ name, label }) => (
              <SharedField
                key={name}
                label={label}
                shared={common.details[name]}
                written={form.texts[name]}
                autofocus={name === "artist"}
              />
            ))}
            <Choice
              label="In the library"
              chosen={form.visible}
              common={common.visible}
              options={["Shown", "Hidden"]}
            />
          </div>
          <CoverField common={common} written={form.cover} />
          <SharedField label="Notes" isLong shared={common.details.notes} written={form.texts.notes} />
          {can("update:composer") && <Composers common={common} lines={form.lines} />}
          <Versions common={common} form={form} />
        </div>
      )}
    </FormDialog>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Composers({ common, lines }: { common: Common; lines: Edit["lines"] }) {
  const had = useMemo(() => linesOf(common.shareholders ?? []), [common]);
  const isSeveral = common.shareholders === null && lines.value === undefined;
  return (
    <fieldset>
      <legend>Composers</legend>
      {isSeveral ? (
        <p class="edit-several">
          <span class="soft">Several</span>
          <Button
            look="secondary"
            run={() => {
              lines.value = [];
            }}
          >
            Set for all tracks
          </Button>
        </p>
      ) : (
        <CreditEditor
          lines={lines.value ?? had}
          latest={() => lines.peek() ?? had}
          onChange={(next) => {
            lines.value = next;
          }}
        />
      )}
    </fieldset>
  );
}

function Versions({ common, form }: { common: Common; form: Edit }) {
  const { outdated, others, othersVisible, label } = common.versions;
  return (
    <fieldset>
      <legend>Versions</legend>
      <div class="edit-grid">
        <SharedField label="Label of the active version" shared={label} written={form.label} />
        {others > 0 && (
          <Choice
            label="Other versions"
            chosen={form.othersVisible}
            common={othersVisible}
            options={["Shown", "Hidden"]}
          />
        )}
      </div>
      {outdated > 0 && (
        <Check
          isOn={form.isNewest.value}
          onChange={(isOn) => {
            form.isNewest.value = isOn;
          }}
        >
          Make the newest version of {tracksText(outdated)} active
        </Check>
      )}
    </fieldset>
  );
}
