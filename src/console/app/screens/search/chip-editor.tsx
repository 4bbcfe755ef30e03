/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { Ask, Asked } from "./asked.ts";
import {
  AVAILABLE,
  type Chip,
  CONSTRAINTS,
  isPossible,
  NOT_REQUIRED,
  type State,
  withChip,
  withoutChip,
} from "./chips.ts";
import { States } from "./states.tsx";
import { useValues } from "./values.ts";

type Props = { chip: Chip; asked: Asked; ask: Ask; onClose: () => void };

const HINTS: Readonly<Record<string, string>> = {
  Tempo: "120–130, 124, up to 100, or a word such as slow",
  Length: "2:00–3:00, up to 1:30",
  Key: "F# minor, Gbm or 11A",
  Only: "uploaded last week, not tagged yet, never played",
};
const UNREADABLE: Readonly<Record<string, string>> = {
  Tempo: "Enter a tempo such as 120–130.",
  Length: "Enter a length such as 2:00–3:00.",
};

/** Changes a chip: its value, how much it counts, or whether it is there at all. */
export function ChipEditor({ chip, asked, ask, onClose }: Props) {
  const { kind, trackId } = chip;
  const value = useSignal(chip.value);
  const state = useSignal<State>(chip.state);
  const error = useSignal<string | undefined>(undefined);
  const finish = (next: Asked) => {
    onClose();
    ask(next);
  };
  const apply = () => {
    const text = value.value.trim();
    const next = text === "" ? withoutChip(asked, chip) : withChip(asked, chip, text, state.value);
    if (next) finish(next);
    else error.value = UNREADABLE[kind] ?? NOT_REQUIRED;
  };
  return (
    <Dialog label={`Edit ${kind.toLowerCase()}`} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {trackId === undefined ? (
          <ValueField kind={kind} value={value} error={error.value} onEnter={apply} />
        ) : (
          <p>{chip.value}</p>
        )}
        <States state={state} isPossible={(each) => isPossible(chip, each)} />
        <p class="field-hint">{explained(kind, state.value, trackId !== undefined)}</p>
        <div class="dialog-actions">
          <Button look="quiet" run={() => finish(withoutChip(asked, chip))}>
            Remove
          </Button>
          <button type="submit" class="button">
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type ValueProps = {
  kind: string;
  value: Signal<string>;
  error: string | undefined;
  onEnter: () => void;
};

function ValueField({ kind, value, error, onEnter }: ValueProps) {
  const options = useValues(kind, value.value);
  if (options === undefined)
    return (
      <Field
        label={kind}
        value={value.value}
        hint={HINTS[kind]}
        error={error}
        autofocus
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
    );
  return (
    <Combobox
      label={kind}
      text={value}
      options={options}
      onChoose={({ text }) => {
        value.value = text;
      }}
      onEnter={onEnter}
      error={error}
      autofocus
    />
  );
}

/** Says what a state does. */
function explained(kind: string, state: State, isTrack: boolean): string {
  if (isTrack)
    return state === "out" ? "The track is left out of the results." : "Results sound more like this track.";
  if (kind === "Order") return "Tracks that fit come in this order.";
  if (kind === "Only") return "Only such tracks are shown.";
  if (kind === "Words") return "Songs that go like this come first.";
  if (kind === AVAILABLE) return "Only songs that have it are shown.";
  if (state === "out") return "Tracks that have it come last.";
  if (state === "prefer") return "Tracks that have it come first.";
  return kind in CONSTRAINTS
    ? "Only tracks that are known to have it are shown."
    : "It counts the most. Only tempo, length, key, vocals and language can leave tracks out.";
}
