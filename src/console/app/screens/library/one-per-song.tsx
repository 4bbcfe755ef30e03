/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect } from "preact/hooks";
import { memory } from "../../memory.ts";
import { listPlace, setListSearch } from "../../router.ts";
import { Switch } from "../../ui/field.tsx";

const PARAMETER = "onePerSong";

/** Folds sets under their main mixes where that was chosen, in the addresses that say nothing of it. */
export function useOnePerSong(search: URLSearchParams): void {
  const isMissing = !search.has(PARAMETER);
  useLayoutEffect(() => {
    if (isMissing && memory.get<boolean>(PARAMETER) === true) setListSearch({ [PARAMETER]: "true" });
  }, [isMissing]);
}

/** Shows of each set only the main mix. */
export function OnePerSong() {
  return (
    <Switch
      label="One row per song"
      hint="Of each set, only the main mix."
      isOn={listPlace.value.search.get(PARAMETER) === "true"}
      onChange={(isOn) => {
        memory.set(PARAMETER, isOn);
        setListSearch({ [PARAMETER]: isOn ? "true" : undefined });
      }}
    />
  );
}
