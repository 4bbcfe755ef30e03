/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useTagNames } from "../../actions/tag-names.ts";
import { usePages } from "../../api/pages.ts";
import { cardsQuery } from "../../playlists/types.ts";
import { listPlace, setListSearch } from "../../router.ts";
import { ChosenWords } from "../../ui/chosen-words.tsx";
import { Combobox, type Option } from "../../ui/combobox.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Field, Switch } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { MUSIC_KEYS } from "../../ui/music-keys.ts";
import { ranked } from "../../ui/ranking.ts";

const DIALOGS = {
  tags: TagFilter,
  album: AlbumFilter,
  key: KeyFilter,
  bpm: BpmFilter,
  length: LengthFilter,
  added: AddedFilter,
};

/** Opens the dialog that sets a filter. */
export function openFilter(kind: keyof typeof DIALOGS): void {
  const View = DIALOGS[kind];
  showDialog((close) => <View onClose={close} />);
}

type Props = { onClose: () => void };

/** `onApply` returns false where the form must be mended first. */
function FilterForm({
  label,
  onClose,
  onApply,
  children,
}: Props & { label: string; onApply: () => unknown; children: ComponentChildren }) {
  return (
    <FormDialog label={label} verb="Apply" onClose={onClose} send={async () => onApply()}>
      {() => children}
    </FormDialog>
  );
}

const toOption = (word: string): Option => ({ id: word, text: word });
const textOf = ({ text }: Option): string => text;

const asked = (name: string) => listPlace.peek().search.get(name) ?? "";

function BpmFilter({ onClose }: Props) {
  const [from = "", to = ""] = asked("bpm").split("-");
  const range = useRange(from, to);
  const apply = () =>
    range.isReady() &&
    setListSearch({ bpm: range.isSet() ? `${range.low.value}-${range.high.value}` : undefined });
  return (
    <FilterForm label="Filter by BPM" onClose={onClose} onApply={apply}>
      <RangeFields range={range} low="From" high="To" type="number" />
    </FilterForm>
  );
}

function LengthFilter({ onClose }: Props) {
  const range = useRange(asked("durationMinSec"), asked("durationMaxSec"));
  const apply = () =>
    range.isReady() && setListSearch({ durationMinSec: range.low.value, durationMaxSec: range.high.value });
  return (
    <FilterForm label="Filter by length" onClose={onClose} onApply={apply}>
      <RangeFields range={range} low="From, in seconds" high="To, in seconds" type="number" />
    </FilterForm>
  );
}

function AddedFilter({ onClose }: Props) {
  const range = useRange(asked("createdAfter"), asked("createdBefore"));
  const apply = () =>
    range.isReady() && setListSearch({ createdAfter: range.low.value, createdBefore: range.high.value });
  return (
    <FilterForm label="Filter by the day it was added" onClose={onClose} onApply={apply}>
      <RangeFields range={range} low="First day" high="Last day" type="date" />
    </FilterForm>
  );
}

type RangeProblems = { low?: string; high?: string };
type Range = {
  low: Signal<string>;
  high: Signal<string>;
  isSet: () => boolean;
  /** What is wrong once it was to be applied. */
  problems: Signal<RangeProblems>;
  isReady: () => boolean;
};

function useRange(from: string, to: string): Range {
  const [low, high, problems] = [useSignal(from), useSignal(to), useSignal<RangeProblems>({})];
  const isReady = () => {
    problems.value = problemsOf(low.value, high.value);
    return Object.keys(problems.value).length === 0;
  };
  return { low, high, problems, isReady, isSet: () => low.value !== "" || high.value !== "" };
}

function problemsOf(low: string, high: string): RangeProblems {
  if (Number(low) < 0) return { low: "Enter 0 or more." };
  if (Number(high) < 0) return { high: "Enter 0 or more." };
  if (low === "" || high === "") return {};
  if (Number.isNaN(Number(low))) return low > high ? { high: "Enter the first day, or a later one." } : {};
  return Number(low) > Number(high) ? { high: "Enter the first number, or a higher one." } : {};
}

type RangeProps = { range: Range; low: string; high: string; type: "number" | "date" };

function RangeFields({ range, low, high, type }: RangeProps) {
  const into =
    (signal: Signal<string>) =>
    ({ currentTarget }: { currentTarget: { value: string } }) => {
      range.problems.value = {};
      signal.value = currentTarget.value;
    };
  return (
    <div class="range-fields">
      <Field
        label={low}
        type={type}
        min={type === "number" ? 0 : ""}
        autofocus
        value={range.low.value}
        error={range.problems.value.low}
        onInput={into(range.low)}
      />
      <Field
        label={high}
        type={type}
        min={type === "number" ? 0 : ""}
        value={range.high.value}
        error={range.problems.value.high}
        onInput={into(range.high)}
      />
    </div>
  );
}

function KeyFilter({ onClose }: Props) {
  const chosen = useSignal<readonly string[]>(asked("key").split(",").filter(Boolean));
  const text = useSignal("");
  const all = MUSIC_KEYS.map((key) => ({ id: key, name: key }));
  const fitting = ranked(text.value, all, []).map(({ name }) => toOption(name));
  return (
    <FilterForm
      label="Filter by key"
      onClose={onClose}
      onApply={() => setListSearch({ key: chosen.value.join(",") || undefined })}
    >
      <ChosenWords label="Key" autofocus text={text} chosen={chosen} options={fitting} wordOf={textOf} />
    </FilterForm>
  );
}

function AlbumFilter({ onClose }: Props) {
  const text = useSignal(asked("album"));
  const { items = [] } = usePages(cardsQuery("album"));
  const apply = () => setListSearch({ album: text.value.trim() || undefined });
  return (
    <FilterForm label="Filter by album" onClose={onClose} onApply={apply}>
      <Combobox
        label="Album"
        text={text}
        autofocus
        options={ranked(text.value, items, []).map(({ id, name, artist }) => ({
          id,
          text: name,
          ...(artist !== null && { hint: artist }),
        }))}
        onChoose={(option) => {
          text.value = option.text;
        }}
      />
    </FilterForm>
  );
}

function TagFilter({ onClose }: Props) {
  const chosen = useSignal<readonly string[]>(asked("tags").split(",").filter(Boolean));
  const isAll = useSignal(asked("tagMode") === "all");
  const text = useSignal("");
  const names = useTagNames(text.value) ?? [];
  const apply = () => {
    const last = text.value.trim();
    const words = last === "" ? chosen.value : [...chosen.value, last];
    setListSearch({
      tags: words.join(",") || undefined,
      tagMode: isAll.value && words.length > 1 ? "all" : undefined,
    });
  };
  return (
    <FilterForm label="Filter by tag" onClose={onClose} onApply={apply}>
      <ChosenWords
        label="Tag"
        autofocus
        text={text}
        chosen={chosen}
        options={names.map(toOption)}
        wordOf={textOf}
      />
      <Switch
        label="All of them"
        hint="Otherwise any of them is enough."
        isOn={isAll.value}
        onChange={(isOn) => {
          isAll.value = isOn;
        }}
      />
    </FilterForm>
  );
}
