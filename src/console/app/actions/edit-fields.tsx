/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { CoverPicture } from "../ui/cover-picture.tsx";
import { dataUriOf, PICTURES } from "../ui/data-uri.ts";
import { Field, SelectField, TextField } from "../ui/field.tsx";
import type { Common, Written } from "./edit-form.ts";

const SEVERAL = "Several";
type Shared = Common["versions"]["label"];

type SharedProps = {
  label: string;
  shared: Shared;
  written: Written;
  isLong?: boolean;
  autofocus?: boolean;
};

/** A text that all tracks have, or "Several". What differs is emptied by a button, as an empty field means no change. */
export function SharedField({ label, shared, written, isLong = false, autofocus = false }: SharedProps) {
  const { value: text } = written;
  const isCleared = text === null;
  const initial = shared.value ?? "";
  const type = (typed: string) => {
    if (typed.trim() === initial || (shared.several && typed.trim() === "")) written.value = undefined;
    else written.value = typed.trim() === "" ? null : typed;
  };
  const props = {
    label,
    autofocus,
    value: text === undefined ? initial : (text ?? ""),
    placeholder: isCleared ? "Nothing" : shared.several ? SEVERAL : "",
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => type(currentTarget.value),
  };
  return (
    <div class="edit-field">
      {isLong ? <TextField {...props} /> : <Field {...props} />}
      {shared.several && (text === undefined || isCleared) && (
        <button
          type="button"
          class="link-button"
          onClick={() => {
            written.value = isCleared ? undefined : null;
          }}
        >
          {isCleared ? "Leave as they are" : "Empty it"}
          <span class="sr-only">: {label}</span>
        </button>
      )}
    </div>
  );
}

type ChoiceProps = {
  label: string;
  chosen: Signal<boolean | undefined>;
  common: boolean | null;
  options: readonly [yes: string, no: string];
};

/** Something that is so or not; "Several" while the tracks differ. */
export function Choice({ label, chosen, common, options }: ChoiceProps) {
  const [yes, no] = options;
  const shown = chosen.value ?? common;
  const choose = (value: string) => {
    const next = value === "" ? undefined : value === "yes";
    chosen.value = next === common ? undefined : next;
  };
  return (
    <SelectField
      label={label}
      value={shown === null ? "" : shown ? "yes" : "no"}
      options={[
        ...(common === null ? [{ value: "", name: SEVERAL }] : []),
        { value: "yes", name: yes },
        { value: "no", name: no },
      ]}
      onChange={choose}
    />
  );
}

/** The cover of all tracks: a picture, or drawn ones. */
export function CoverField({ common, written }: { common: Common; written: Written }) {
  const { several, value } = common.details.cover;
  const problem = useSignal<string | undefined>(undefined);
  const preview = useSignal<string | undefined>(undefined);
  useEffect(() => () => URL.revokeObjectURL(preview.peek() ?? ""), [preview]);
  const shown = written.value === undefined ? value : written.value;
  const take = async (file: File | undefined) => {
    if (!file) return;
    problem.value = PICTURES.split(",").includes(file.type) ? undefined : "A JPEG, PNG, WebP or GIF picture";
    if (problem.value === undefined) written.value = await dataUriOf(file);
    URL.revokeObjectURL(preview.peek() ?? "");
    preview.value = problem.value === undefined ? URL.createObjectURL(file) : undefined;
  };
  return (
    <fieldset class="edit-cover">
      <legend>Cover</legend>
      <span class="edit-picture">
        {several && written.value === undefined ? (
          <span class="soft">{SEVERAL}</span>
        ) : written.value ? (
          <img src={preview.value} alt="The new cover" />
        ) : shown ? (
          <CoverPicture seed="edit" cover={shown} />
        ) : (
          <span class="soft">Drawn</span>
        )}
      </span>
      <label class="button secondary">
        Choose a picture
        <input
          type="file"
          class="sr-only"
          accept={PICTURES}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      {written.value === undefined && (several || value !== null) && (
        <Button
          look="quiet"
          run={() => {
            written.value = null;
          }}
        >
          Draw covers
        </Button>
      )}
      {written.value !== undefined && (
        <Button
          look="quiet"
          run={() => {
            written.value = undefined;
          }}
        >
          Leave as they are
        </Button>
      )}
      {problem.value !== undefined && <p class="field-error">{problem}</p>}
    </fieldset>
  );
}
