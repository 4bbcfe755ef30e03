/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { Combobox } from "../../ui/combobox.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Ask, Asked } from "./asked.ts";
import { AVAILABLE, type Chip, constraintFor, NOT_REQUIRED, type State, withChip } from "./chips.ts";
import { States } from "./states.tsx";
import { useEveryValue } from "./values.ts";

type Adding = {
  asked: Asked;
  ask: Ask;
  /** Whether the search begins at tracks, so that "darker" means darker than these. */
  isBesideTracks: boolean;
  onClose: () => void;
};

/** Adds a wish: a name of the taxonomy, a tempo, a length, how it differs from a track, or words of one's own. */
export function AddWish({ asked, ask, isBesideTracks, onClose }: Adding) {
  const text = useSignal("");
  const state = useSignal<State>("prefer");
  const options = useEveryValue(text.value, isBesideTracks);
  const error = useSignal<string | undefined>(undefined);
  const refuse = (sentence: string) => {
    error.value = sentence;
    return false;
  };
  const add = (value: string, kind: string) => {
    const words = value.trim();
    if (words === "") return refuse("Enter what the music should have.");
    const chip: Chip = { id: "new", kind, value: words, state: "prefer", spans: [], isKnown: true };
    const next = withChip(asked, chip, words, state.value);
    if (!next) return refuse(NOT_REQUIRED);
    onClose();
    ask(next);
    return true;
  };
  const addTyped = () => add(text.value, kindOfText(text.value));
  return (
    <FormDialog label="Add to the search" verb="Add" onClose={onClose} send={async () => addTyped()}>
      {() => (
        <>
          <Combobox
            label="What should it have?"
            text={text}
            options={options}
            placeholder="Strings, hopeful, 90–100 BPM, 2:00–3:00"
            onChoose={({ text: name, kind }) => add(name, kind)}
            onEnter={addTyped}
            error={error.value}
            autofocus
          />
          <States state={state} isPossible={() => true} />
        </>
      )}
    </FormDialog>
  );
}

/** "90-100 BPM" is a tempo and "2:00-3:00" a length; other words are read on the server. */
function kindOfText(text: string): string {
  if (/\bbpm\b/i.test(text)) return "Tempo";
  if (/\d:\d\d/.test(text)) return "Length";
  if (/ available$/i.test(text)) return AVAILABLE;
  if (/\b(?:major|minor)\b/i.test(text)) return "Key";
  return constraintFor("Vocals", text.trim()) ? "Vocals" : "Genre";
}
