/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { typed } from "../ui/use-form.ts";
import type { About } from "./about.ts";
import { AlsoOthers, othersOf } from "./also-others.tsx";
import type { Finding } from "./queries.ts";
import type { FieldOf } from "./write.ts";

const MAX_TEXT = 500;

type TextDialogProps = { field: FieldOf; finding: Finding; about: About; onClose: () => void };

/** Types what is missing. What is wrong stands in the field. */
export function TextDialog({ field, finding, about, onClose }: TextDialogProps) {
  const { label, hint, type, isShared = false, write } = field;
  const isWrong = finding.code.endsWith("_bad") || finding.code === "tags_disagree";
  const text = useSignal(isWrong ? String(finding.value ?? "") : finding.fix === "title" ? about.title : "");
  const areOthersMeant = useSignal(isShared);
  const { trackId } = about;
  const others = isShared ? othersOf(finding, about) : [];
  const send = () =>
    write(text.value.trim(), [
      ...(trackId === undefined ? [] : [trackId]),
      ...(areOthersMeant.value ? others : []),
    ]);
  return (
    <FormDialog label={label} verb="Save" isReady={text.value.trim() !== ""} onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <p class="soft">{finding.message}</p>
          <Field
            label={finding.composerId === null ? `${label} of ${about.title}` : label}
            hint={hint}
            error={Object.values(wrong)[0]}
            maxLength={MAX_TEXT}
            autofocus
            {...(type && { type })}
            {...typed(text)}
          />
          <AlsoOthers count={others.length} isOn={areOthersMeant} />
        </>
      )}
    </FormDialog>
  );
}
