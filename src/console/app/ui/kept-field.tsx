/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MAX_BPM } from "../../../modules/library/tracks/shapes.ts";
import { sentenceOf } from "../api/errors.ts";
import { draftOf } from "./draft.ts";
import { Field, TextField } from "./field.tsx";
import { isToTheirs, TheirChange, useTheirs } from "./theirs.tsx";

export type KeptFieldProps = {
  /** By what the text is kept that was typed. */
  draft: string;
  /** What the server calls it, where others may change it too. */
  field?: string;
  label: string;
  text: string;
  error: string | undefined;
  /** Resolves with whether it was kept. */
  onSave: (text: string) => Promise<boolean>;
  type?: "text" | "number" | "date" | "email";
  hint?: string;
  isLong?: boolean;
};

/** A field that keeps its text until the thing has it, whatever happens to the thing or to the server. */
export function KeptField({
  draft,
  field,
  label,
  text,
  error,
  onSave,
  hint,
  type = "text",
  isLong = false,
}: KeptFieldProps) {
  const typed = draftOf(draft);
  const { name, began } = useTheirs({ field, text, typed: typed.value });
  const take = () => {
    typed.value = undefined;
  };
  const leave = async () => {
    const sent = typed.peek();
    // Who types nothing new overwrites nothing.
    if (sent === began && sent !== text) return take();
    if (sent !== undefined && (await onSave(sent)) && typed.peek() === sent) typed.value = undefined;
  };
  // The form, or the page, may have been left before the thing had it.
  useEffect(() => void leave(), []);
  const shared = {
    label,
    error,
    ...(hint !== undefined && { hint }),
    value: typed.value ?? text,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      typed.value = currentTarget.value;
    },
    onBlur: (event: object) => {
      if (!isToTheirs(event)) void leave();
    },
  };
  return (
    <div>
      {isLong ? (
        <TextField {...shared} />
      ) : (
        <Field {...shared} type={type} {...(type === "number" && { step: "any", min: 0, max: MAX_BPM })} />
      )}
      {name !== undefined && (
        <TheirChange name={name} text={text} onTake={take} onLeave={() => void leave()} />
      )}
    </div>
  );
}

/**
 * Saves the fields of a thing, each by itself. `kept` returns what its field needs, and `said` how the last one stands.
 *
 * @param thing Under what the texts are kept that the server does not have.
 * @param textOf Returns a text as the thing has it.
 * @param write Sends a text that the thing does not have. @throws ApiError
 */
export function useKeptFields<Name extends string>(
  thing: string,
  textOf: (name: Name) => string,
  write: (name: Name, text: string) => Promise<unknown>,
) {
  const said = useSignal("");
  const errors = useSignal<Partial<Record<Name, string>>>({});
  const fail = (name: Name, error: string | undefined) => {
    errors.value = { ...errors.peek(), [name]: error };
  };
  const save = async (name: Name, typed: string): Promise<boolean> => {
    fail(name, undefined);
    if (typed.trim() === textOf(name)) return true;
    said.value = "Saving…";
    try {
      await write(name, typed.trim());
      said.value = "Saved";
      return true;
    } catch (thrown) {
      said.value = "";
      fail(name, sentenceOf(thrown));
      return false;
    }
  };
  const kept = (name: Name) => ({
    draft: `${thing} ${name}`,
    field: name,
    text: textOf(name),
    error: errors.value[name],
    onSave: (text: string) => save(name, text),
  });
  return { kept, said: said.value };
}
