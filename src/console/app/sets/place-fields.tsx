/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Field, SelectField } from "../ui/field.tsx";
import { EDIT_SEC_WANTED, KIND_OPTIONS, PART_OPTIONS, type Place, readEditSec } from "./words.ts";

/** What a track is in a set, while it is being written. */
export type PlaceDraft = { kind: Place["kind"]; part: string; editSec: string };

export const draftOf = ({ kind, part, editSec }: Place): PlaceDraft => ({
  kind,
  part: part ?? "",
  editSec: editSec === null ? "" : String(editSec),
});

/** Returns what was written; undefined where the length is none. */
export function placeOf({ kind, part, editSec }: PlaceDraft): Place | undefined {
  const sec = readEditSec(editSec);
  if (sec === undefined) return undefined;
  const isPart = kind === "stem" && part !== "";
  return { kind, part: isPart ? (part as NonNullable<Place["part"]>) : null, editSec: sec };
}

/** The fields that say what a track is in a set. `of`: its title, where there are several tracks. */
export function PlaceFields({
  draft,
  of,
  isTried,
}: {
  draft: Signal<PlaceDraft>;
  of?: string;
  isTried: boolean;
}) {
  const { kind, part, editSec } = draft.value;
  const set = (change: Partial<PlaceDraft>) => {
    draft.value = { ...draft.value, ...change };
  };
  const named = (name: string) => (of === undefined ? name : `${name} of ${of}`);
  const isWrong = isTried && placeOf(draft.value) === undefined;
  return (
    <div class="set-place">
      <SelectField
        label={named("Kind")}
        isLabelHidden={of !== undefined}
        value={kind}
        options={KIND_OPTIONS}
        onChange={(chosen) => set({ kind: chosen })}
      />
      {kind === "stem" ? (
        <SelectField
          label={named("Part")}
          isLabelHidden={of !== undefined}
          value={part}
          options={PART_OPTIONS}
          onChange={(chosen) => set({ part: chosen })}
        />
      ) : (
        <Field
          label={named("Length in seconds")}
          isLabelHidden={of !== undefined}
          placeholder="Whole song"
          inputmode="numeric"
          value={editSec}
          error={isWrong ? EDIT_SEC_WANTED : undefined}
          onInput={({ currentTarget }) => set({ editSec: currentTarget.value })}
        />
      )}
    </div>
  );
}
