/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { Button } from "../ui/button.tsx";
import { ChosenWords } from "../ui/chosen-words.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { bulk, type Target, tracksText } from "./bulk.ts";
import { tagOptions, useTagNames } from "./tag-names.ts";

/** Opens the dialog that adds tags to tracks and takes tags away. */
export function openTag(target: Target): void {
  showDialog((close) => <TagDialog target={target} onClose={close} />);
}

function TagDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const adding = useSignal<readonly string[]>([]);
  const removing = useSignal<readonly string[]>([]);
  const isNothing = adding.value.length + removing.value.length === 0;
  const apply = () => {
    onClose();
    const doing = {
      ...(adding.value.length > 0 && { addTags: [...adding.value] }),
      ...(removing.value.length > 0 && { removeTags: [...removing.value] }),
    };
    void bulk(target, doing, (tracks) => `${tracks} tagged`);
  };
  return (
    <Dialog label={`Tag ${tracksText(target.count)}`} onClose={onClose}>
      <TagField label="Add tag" verb="Create tag" chosen={adding} autofocus />
      <TagField label="Remove tag" verb="Own word" chosen={removing} />
      <div class="dialog-actions">
        <Button look="quiet" run={onClose}>
          Cancel
        </Button>
        <Button aria-disabled={isNothing} run={apply}>
          Apply
        </Button>
      </div>
    </Dialog>
  );
}

type FieldProps = {
  label: string;
  /** What the line of a word begins with that the vocabulary does not have. */
  verb: string;
  chosen: Signal<readonly string[]>;
  autofocus?: boolean;
};

/** Words that are chosen or typed; each becomes a chip. */
function TagField({ label, verb, chosen, autofocus = false }: FieldProps) {
  const text = useSignal("");
  const names = useTagNames(text.value);
  return (
    <ChosenWords
      label={label}
      autofocus={autofocus}
      text={text}
      chosen={chosen}
      options={tagOptions(text.value, names, verb)}
      wordOf={({ name }) => name}
    />
  );
}
