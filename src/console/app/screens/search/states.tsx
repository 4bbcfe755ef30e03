/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { State } from "./chips.ts";

const NAMES: Readonly<Record<State, string>> = {
  prefer: "Prefer",
  must: "Must have",
  out: "Rule out",
};

type Props = { state: Signal<State>; isPossible: (state: State) => boolean };

/** How much a wish counts. */
export function States({ state, isPossible }: Props) {
  const name = useId();
  return (
    <fieldset class="wish-states">
      <legend class="sr-only">How much it counts</legend>
      {(Object.keys(NAMES) as State[]).map((each) => (
        <label key={each} class="wish-state">
          <input
            type="radio"
            name={name}
            checked={state.value === each}
            disabled={!isPossible(each)}
            onChange={() => {
              state.value = each;
            }}
          />
          <span>{NAMES[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
