/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { MAX_BPM } from "../../../modules/library/tracks/shapes.ts";
import { draftOf } from "./draft.ts";
import { Field, TextField } from "./field.tsx";

export type KeptFieldProps = {
  /** By what the text is kept that was typed. */
  draft: string;
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
  label,
  text,
  error,
  onSave,
  hint,
  type = "text",
  isLong = false,
}: KeptFieldProps) {
  const typed = draftOf(draft);
  const leave = async () => {
    const sent = typed.peek();
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
    onBlur: () => void leave(),
  };
  if (isLong) return <TextField {...shared} />;
  return <Field {...shared} type={type} {...(type === "number" && { step: "any", min: 0, max: MAX_BPM })} />;
}
