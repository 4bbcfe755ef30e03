/** @jsxRuntime automatic @jsxImportSource preact */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listPlace, setListSearch } from "../../router.ts";
import { RemovableChip } from "../../ui/chip.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MenuButton } from "../../ui/menu.tsx";

const TYPING_MS = 200;
const STATUS_NAMES: Readonly<Record<string, string>> = {
  "pending,processing": "Being analysed",
  failed: "Failed",
  completed: "Analysed",
};

/** What the Library can be filtered by beside text: how it reads as a chip, and how it is chosen. */
type Filter = {
  name: string;
  /** Parameters of the address that it sets. */
  parameters: readonly string[];
  /** What its chip says; undefined: it is not set. */
  chip: (search: URLSearchParams) => string | undefined;
  choose: () => void;
};

const between = (low: string, high: string, unit: string) =>
  low && high ? `${low}–${high} ${unit}` : low ? `${low} ${unit} and more` : `up to ${high} ${unit}`;
const clean = (text: string | null) => text?.split(",").join(", ");

const FILTERS: readonly Filter[] = [
  {
    name: "Tags",
    parameters: ["tags", "tagMode"],
    chip: (search) =>
      search.get("tags")
        ? `${clean(search.get("tags"))}${search.get("tagMode") === "all" ? " (all)" : ""}`
        : undefined,
    choose: () => ask("Filter by tags", [{ label: "Tags, separated by commas", parameter: "tags" }]),
  },
  {
    name: "BPM",
    parameters: ["bpm"],
    chip: (search) => {
      const [low = "", high = ""] = (search.get("bpm") ?? "").split("-");
      return low || high ? between(low, high, "BPM") : undefined;
    },
    choose: () =>
      askRange("Filter by BPM", (low, high) =>
        setListSearch({ bpm: low || high ? `${low}-${high}` : undefined }),
      ),
  },
  {
    name: "Key",
    parameters: ["key"],
    chip: (search) => clean(search.get("key")),
    choose: () => ask("Filter by key", [{ label: "Keys, for example F# minor, 11A", parameter: "key" }]),
  },
  {
    name: "Length",
    parameters: ["durationMinSec", "durationMaxSec"],
    chip: (search) => {
      const [low = "", high = ""] = [search.get("durationMinSec") ?? "", search.get("durationMaxSec") ?? ""];
      return low || high ? between(low, high, "s") : undefined;
    },
    choose: () =>
      askRange("Filter by length in seconds", (low, high) =>
        setListSearch({ durationMinSec: low, durationMaxSec: high }),
      ),
  },
  {
    name: "Added",
    parameters: ["createdAfter", "createdBefore"],
    chip: (search) => {
      const [from, to] = [search.get("createdAfter"), search.get("createdBefore")];
      if (from && to) return `${from} to ${to}`;
      return from ? `since ${from}` : to ? `until ${to}` : undefined;
    },
    choose: () =>
      ask("Filter by the day of adding", [
        { label: "From", parameter: "createdAfter", type: "date" },
        { label: "To", parameter: "createdBefore", type: "date" },
      ]),
  },
  {
    name: "Status",
    parameters: ["status"],
    chip: (search) => STATUS_NAMES[search.get("status") ?? ""] ?? search.get("status") ?? undefined,
    choose: () => undefined,
  },
  {
    name: "Visibility",
    parameters: ["visible"],
    chip: (search) => ({ true: "Shown", false: "Hidden" })[search.get("visible") ?? ""],
    choose: () => undefined,
  },
  {
    name: "Tagging",
    parameters: ["untagged"],
    chip: (search) => ({ true: "Untagged", false: "Tagged" })[search.get("untagged") ?? ""],
    choose: () => undefined,
  },
];

/** Parameters of the address that narrow the list. */
const NARROWING = ["q", ...FILTERS.flatMap(({ parameters }) => parameters)];

/** Returns true when the address shows less than the whole library. */
export const isFiltered = (search: URLSearchParams): boolean => NARROWING.some((name) => search.has(name));

/** Shows the whole library again. */
export const clearFilters = (): void =>
  setListSearch(Object.fromEntries(NARROWING.map((name) => [name, undefined])));

/** Text and filters, which are all in the address. */
export function FilterLine() {
  const { search } = listPlace.value;
  const set = FILTERS.flatMap((filter) => {
    const text = filter.chip(search);
    return text === undefined ? [] : [{ filter, text }];
  });
  return (
    <div class="filter-line">
      <FilterText />
      <MenuButton
        label="Add filter"
        class="button secondary small"
        items={() => [
          ...FILTERS.slice(0, 5).map(({ name, choose }) => ({ name: `${name}…`, run: choose })),
          null,
          ...Object.entries(STATUS_NAMES).map(([status, name]) => ({
            name,
            run: () => setListSearch({ status }),
          })),
          null,
          { name: "Shown", run: () => setListSearch({ visible: "true" }) },
          { name: "Hidden", run: () => setListSearch({ visible: "false" }) },
          { name: "Untagged", run: () => setListSearch({ untagged: "true" }) },
        ]}
      >
        <Icon name="filter" />
        Filter
      </MenuButton>
      {set.length > 0 && (
        <ul class="chips" aria-label="Filters">
          {set.map(({ filter, text }) => (
            <li key={filter.name}>
              <RemovableChip
                name={`Remove filter ${filter.name}`}
                onRemove={() =>
                  setListSearch(Object.fromEntries(filter.parameters.map((name) => [name, undefined])))
                }
              >
                {filter.name}: {text}
              </RemovableChip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Text in the field that the address does not have yet. */
const typed = signal<string | undefined>(undefined);

function FilterText() {
  const text = typed.value ?? listPlace.value.search.get("q") ?? "";
  useEffect(() => {
    if (typed.value === undefined) return;
    const timer = setTimeout(() => {
      setListSearch({ q: typed.value?.trim() });
      typed.value = undefined;
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <input
      type="search"
      class="filter-text"
      aria-label="Filter tracks"
      placeholder="Filter by title or artist"
      value={text}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
      }}
    />
  );
}

type Asked = { label: string; parameter: string; type?: "text" | "date" };

function ask(label: string, fields: readonly Asked[]): void {
  showDialog((close) => (
    <FilterDialog label={label} onClose={close}>
      {fields.map(({ label: name, parameter, type = "text" }) => (
        <Field
          key={parameter}
          label={name}
          name={parameter}
          type={type}
          value={listPlace.peek().search.get(parameter) ?? ""}
        />
      ))}
    </FilterDialog>
  ));
}

function askRange(label: string, set: (low: string, high: string) => void): void {
  showDialog((close) => (
    <FilterDialog
      label={label}
      onClose={close}
      onSubmit={(values) => set(values.get("low") ?? "", values.get("high") ?? "")}
    >
      <Field label="From" name="low" type="number" min={0} step="any" />
      <Field label="To" name="high" type="number" min={0} step="any" />
    </FilterDialog>
  ));
}

function FilterDialog({
  label,
  onClose,
  onSubmit = (values) => setListSearch(Object.fromEntries(values)),
  children,
}: {
  label: string;
  onClose: () => void;
  onSubmit?: (values: Map<string, string>) => void;
  children: preact.ComponentChildren;
}) {
  const isSent = useSignal(false);
  return (
    <Dialog label={label} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSent.value) return;
          isSent.value = true;
          const form = new FormData(event.currentTarget);
          onClose();
          onSubmit(new Map([...form].map(([name, value]) => [name, String(value).trim()])));
        }}
      >
        {children}
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button">
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  );
}
