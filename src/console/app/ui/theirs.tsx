/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";

/** The fields of a thing that somebody else changed last, with who it was and when. */
export type Theirs = ReadonlyMap<string, { name: string; at: string }>;

/** What others changed of the thing that a form is about. */
export const TheirEdits = createContext<Theirs>(new Map());

type Editing = {
  field: string | undefined;
  /** As the thing has it. */
  text: string;
  /** What was typed and is not saved; undefined: nothing. */
  typed: string | undefined;
};

/**
 * Follows a field while somebody types in it. `name` is who changed it since they began; `began` what it was then.
 */
export function useTheirs({ field = "", text, typed }: Editing): { name?: string; began?: string } {
  const edit = useContext(TheirEdits).get(field);
  const start = useRef<{ text: string; at: string | undefined } | undefined>(undefined);
  if (typed === undefined) start.current = undefined;
  else start.current ??= { text, at: edit?.at };
  const began = start.current;
  if (!began) return {};
  const isTheirs = edit !== undefined && edit.at !== began.at && text !== began.text && typed !== text;
  return { began: began.text, ...(isTheirs && { name: edit.name }) };
}

/** True when the focus goes from a field to its "Take theirs": the field is not left by that. */
export const isToTheirs = (event: object): boolean =>
  "relatedTarget" in event &&
  event.relatedTarget instanceof Element &&
  event.relatedTarget.closest(".field-theirs") !== null;

/** Says below a field that somebody else changed it, which stays as it was typed. */
export function TheirChange({
  name,
  text,
  onTake,
  onLeave,
}: {
  name: string;
  text: string;
  onTake: () => void;
  onLeave: () => void;
}) {
  // Screen readers hear of text that changes in a status, not of a status that comes with its text.
  const said = useSignal("");
  const what = text === "" ? "emptied this" : `changed this to “${text}”`;
  useEffect(() => {
    said.value = `${name} ${what} just now.`;
  }, [name, what, said]);
  return (
    <div class="field-theirs" role="status">
      <span>{said}</span>{" "}
      <button
        type="button"
        class="link-button"
        // The field keeps the focus, or it would be saved.
        onPointerDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => {
          const field = currentTarget
            .closest(".field-theirs")
            ?.parentElement?.querySelector<HTMLElement>("input, textarea");
          onTake();
          field?.focus();
        }}
        onBlur={({ relatedTarget, currentTarget }) => {
          const part = currentTarget.closest(".field-theirs")?.parentElement;
          if (currentTarget.isConnected && !part?.contains(relatedTarget as Node | null)) onLeave();
        }}
      >
        Take theirs
      </button>
    </div>
  );
}
