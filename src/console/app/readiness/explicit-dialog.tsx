/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { SelectField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { DialogProps } from "./about.ts";
import { AlsoOthers, othersOf } from "./also-others.tsx";
import { writeRights } from "./write.ts";

const CHOICES = [
  { value: "no", name: "Not explicit" },
  { value: "yes", name: "Explicit" },
  { value: "clean", name: "Clean version of an explicit song" },
] as const;

/** Chooses whether the words are explicit. */
export function ExplicitDialog({ finding, about, trackId, onClose }: DialogProps) {
  const explicit = useSignal<(typeof CHOICES)[number]["value"]>("no");
  const areOthersMeant = useSignal(false);
  const others = othersOf(finding, about);
  const send = async () => {
    for (const id of [trackId, ...(areOthersMeant.value ? others : [])])
      await writeRights(id, { explicit: explicit.value });
  };
  return (
    <FormDialog label="Explicit words" verb="Save" onClose={onClose} send={send}>
      {() => (
        <>
          <SelectField
            label={`Words of ${about.title}`}
            value={explicit.value}
            options={CHOICES}
            onChange={(value) => {
              explicit.value = value;
            }}
          />
          <AlsoOthers count={others.length} isOn={areOthersMeant} />
        </>
      )}
    </FormDialog>
  );
}
