/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Need } from "../../api/library.ts";
import { listPlace, setListSearch } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { RemovableChip } from "../../ui/chip.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type MenuItem, toggleMenu } from "../../ui/menu.tsx";
import { openFilter } from "./filter-dialogs.tsx";
import { filtersOf } from "./filters.ts";

const PAUSE_MS = 200;

/** What the list is narrowed down by: a text, and chips for everything else. The address has all of it. */
export function FilterBar({ onColumns }: { onColumns: () => void }) {
  const { search } = listPlace.value;
  const filters = filtersOf(search);
  return (
    <div class="filter-bar">
      <TextFilter />
      {filters.length > 0 && (
        <ul class="chips" aria-label="Filters">
          {filters.map(({ name, values }) => (
            <li key={name}>
              <RemovableChip name={`Remove filter ${name}`} onRemove={() => setListSearch(values)}>
                {name}
              </RemovableChip>
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        class="button quiet small"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => toggleMenu(currentTarget, "Add filter", filterMenu())}
      >
        <Icon name="filter" />
        Add filter
      </button>
      <Button look="quiet small columns-button" icon="columns" aria-haspopup="dialog" run={onColumns}>
        Columns
      </Button>
      <SortMenu />
    </div>
  );
}

function TextFilter() {
  const text = useSignal(listPlace.peek().search.get("q") ?? "");
  const field = useRef<HTMLInputElement>(null);
  const asked = listPlace.value.search.get("q") ?? "";
  // Back, or a chip that was taken away, changes the address from outside.
  useEffect(() => {
    if (document.activeElement !== field.current) text.value = asked;
  }, [asked, text]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = text.subscribe((typed) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (typed.trim() !== (listPlace.peek().search.get("q") ?? ""))
          setListSearch({ q: typed.trim() || undefined });
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [text]);
  return (
    <div class="text-filter">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label="Filter tracks"
        placeholder="Filter tracks"
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
    </div>
  );
}

const filterMenu = (): MenuItem[] => [
  { name: "Tag…", run: () => openFilter("tags") },
  { name: "Album…", run: () => openFilter("album") },
  { name: "BPM…", run: () => openFilter("bpm") },
  { name: "Key…", run: () => openFilter("key") },
  { name: "Length…", run: () => openFilter("length") },
  { name: "Added…", run: () => openFilter("added") },
  null,
  { name: "On no album", run: () => setListSearch({ onAlbum: "false" }) },
  { name: "Untagged", run: () => setListSearch({ untagged: "true" }) },
  { name: "Failed", run: () => setListSearch({ status: "failed" }) },
  { name: "Waiting or analysing", run: () => setListSearch({ status: "pending,processing" }) },
  { name: "Hidden", run: () => setListSearch({ visible: "false" }) },
  { name: "In the Inbox", need: "read:briefs", run: () => setListSearch({ inInbox: "true" }) },
  { name: "Not hidden", run: () => setListSearch({ visible: "true" }) },
];

const SORTS: readonly (readonly [name: string, sort: string, need?: Need])[] = [
  ["Newest first", "-created_at"],
  ["Oldest first", "created_at"],
  ["Title", "name"],
  ["Artist", "artist"],
  ["BPM", "bpm"],
  ["Length", "duration"],
  ["Most played", "-plays", "read:analytics"],
  ["Recently changed", "-updated_at"],
];

/** Telephones have no column headers. */
function SortMenu() {
  return (
    <button
      type="button"
      class="button quiet small sort-button"
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        toggleMenu(
          currentTarget,
          "Sort",
          SORTS.map(([name, sort, need]) => ({ name, need, run: () => setListSearch({ sort }) })),
        )
      }
    >
      <Icon name="down" />
      Sort
    </button>
  );
}
