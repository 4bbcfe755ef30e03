/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { query, useQuery } from "../../api/queries.ts";
import { RemovableChip } from "../../ui/chip.tsx";
import { Combobox, type Option } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";

const MAX_OPTIONS = 8;

/** What the dialog decided. */
export type TagChange = { addTags: readonly string[]; removeTags: readonly string[] };

/** Adds tags to tracks, and takes tags away: words of the taxonomy and words of one's own. */
export function TagDialog({
  count,
  onClose,
  onApply,
}: {
  /** Tracks in words: "3 tracks". */
  count: string;
  onClose: () => void;
  onApply: (change: TagChange) => void;
}) {
  const adds = useSignal<readonly string[]>([]);
  const removes = useSignal<readonly string[]>([]);
  const names = useTagNames();
  return (
    <Dialog label={`Tag ${count}`} onClose={onClose}>
      <div class="form">
        <TagField label="Add tag" chosen={adds} names={names} />
        <TagField label="Remove tag" chosen={removes} names={names} />
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class="button"
            disabled={adds.value.length + removes.value.length === 0}
            onClick={() => {
              onClose();
              onApply({ addTags: adds.value, removeTags: removes.value });
            }}
          >
            Apply
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Returns the names of the taxonomy's tags, each once. */
function useTagNames(): readonly string[] {
  const { data } = useQuery(query("/app/library/taxonomy", {}, {}));
  const lists = Object.values(data?.data ?? {}) as unknown as readonly (readonly { name: string }[])[];
  return [...new Set(lists.flatMap((tags) => tags.map(({ name }) => name)))];
}

function TagField({
  label,
  chosen,
  names,
}: {
  label: string;
  chosen: Signal<readonly string[]>;
  names: readonly string[];
}) {
  const text = useSignal("");
  const wanted = text.value.trim().toLowerCase();
  const options: Option[] =
    wanted === ""
      ? []
      : names
          .filter((name) => name.toLowerCase().includes(wanted) && !chosen.value.includes(name))
          .sort((left, right) => left.toLowerCase().indexOf(wanted) - right.toLowerCase().indexOf(wanted))
          .slice(0, MAX_OPTIONS)
          .map((name) => ({ id: name.replace(/\W+/g, "-"), text: name }));
  const take = (name: string) => {
    if (!chosen.value.includes(name)) chosen.value = [...chosen.value, name];
    text.value = "";
  };
  return (
    <div class="tag-field">
      <Combobox
        label={label}
        text={text}
        options={options}
        onChoose={(option) => take(option.text)}
        onEnter={take}
        onBackspace={() => {
          chosen.value = chosen.value.slice(0, -1);
        }}
      />
      {chosen.value.length > 0 && (
        <ul class="chips" aria-label={`${label}: chosen`}>
          {chosen.value.map((name) => (
            <li key={name}>
              <RemovableChip
                name={`Remove ${name}`}
                onRemove={() => {
                  chosen.value = chosen.value.filter((each) => each !== name);
                }}
              >
                {name}
              </RemovableChip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
