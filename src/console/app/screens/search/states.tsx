/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Segments } from "../../ui/segments.tsx";
import type { State } from "./chips.ts";

const NAMES: readonly { value: State; name: string }[] = [
  { value: "prefer", name: "Prefer" },
  { value: "must", name: "Must have" },
  { value: "out", name: "Rule out" },
];

type Props = { state: Signal<State>; isPossible: (state: State) => boolean };

/** How much a wish counts. */
export const States = ({ state, isPossible }: Props) => (
  <Segments
    label="How much it counts"
    options={NAMES.map((option) => ({ ...option, isDisabled: !isPossible(option.value) }))}
    current={state.value}
    onChange={(next) => {
      state.value = next;
    }}
  />
);
