/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { Data } from "../api/routes.ts";
import { SelectField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { DialogProps } from "./about.ts";
import { AlsoOthers, othersOf } from "./also-others.tsx";
import { writeRights } from "./write.ts";

type AiUse = Data<"GET /app/library/tracks/{trackId}/rights">["aiUse"][number];
type Part = AiUse["part"];
type Extent = AiUse["extent"] | "";

const EXTENTS: readonly { value: Extent; name: string }[] = [
  { value: "", name: "Not stated" },
  { value: "none", name: "No AI" },
  { value: "assisted", name: "AI helped" },
  { value: "generated", name: "Made by AI" },
];
const PARTS: Readonly<Record<Part, string>> = {
  vocals: "Vocals",
  lyrics: "Lyrics",
  composition: "Composition",
  instruments: "Instruments",
  mix: "Mix",
  master: "Master",
  artwork: "Cover",
  other: "Anything else",
};
const IN_ORDER = Object.keys(PARTS) as Part[];

/** States for each part of a track whether AI was used. Nothing is filled in: only a person knows. */
export function AiDialog({ finding, about, trackId, onClose }: DialogProps) {
  const said = useSignal<Partial<Record<Part, Extent>>>({});
  const areOthersMeant = useSignal(false);
  const others = othersOf(finding, about);
  const stated = IN_ORDER.flatMap((part) => {
    const extent = said.value[part] ?? "";
    return extent === "" ? [] : [{ part, extent }];
  });
  const send = async () => {
    for (const id of [trackId, ...(areOthersMeant.value ? others : [])])
      await writeRights(id, { aiUse: stated });
  };
  return (
    <FormDialog
      label={`How ${about.title} was made`}
      verb="Save"
      isReady={stated.length > 0}
      onClose={onClose}
      send={send}
    >
      {() => (
        <>
          {IN_ORDER.map((part) => (
            <SelectField
              key={part}
              label={PARTS[part]}
              value={said.value[part] ?? ""}
              options={EXTENTS}
              onChange={(extent) => {
                said.value = { ...said.value, [part]: extent };
              }}
            />
          ))}
          <AlsoOthers count={others.length} isOn={areOthersMeant} />
        </>
      )}
    </FormDialog>
  );
}
