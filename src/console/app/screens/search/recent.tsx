/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { query, useQuery } from "../../api/queries.ts";
import { Options } from "../../ui/combobox.tsx";
import { type Asked, askedBy } from "./asked.ts";

/** A search of the history. Without `asked` it was by a file alone, which is chosen again. */
export type Recent = { id: string; text: string; asked: Asked | undefined };

const NOT_KEPT = "Searched with a file that was not kept.";

const MAX_SHOWN = 8;

/** The searches made last, as the field's list. It opens when the field is empty and has the focus. */
export function useRecent(text: Signal<string>, onChoose: (recent: Recent) => void) {
  const id = useId();
  const isOpen = useSignal(false);
  const at = useSignal(-1);
  const { data } = useQuery(query("/app/searches", { query: { limit: 30 } }, {}));
  const entries = withoutRepeats(data?.data ?? []);
  const isShown = isOpen.value && text.value === "" && entries.length > 0;
  const close = () => {
    isOpen.value = false;
    at.value = -1;
  };
  const choose = (recent: Recent) => {
    close();
    onChoose(recent);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.key === "ArrowDown" && text.value === "") isOpen.value = true;
    if (!isShown) return false;
    const chosen = entries[at.value];
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => {
        at.value = (at.value + 1) % entries.length;
      },
      ArrowUp: () => {
        at.value = (at.value <= 0 ? entries.length : at.value) - 1;
      },
      Escape: close,
      ...(chosen && { Enter: () => choose(chosen) }),
    };
    const step = steps[event.key];
    if (!step) return false;
    event.preventDefault();
    event.stopPropagation();
    step();
    return true;
  };
  const marked = isShown ? entries[at.value] : undefined;
  return {
    id,
    entries,
    isShown,
    at: at.value,
    choose,
    close,
    open: () => {
      isOpen.value = true;
    },
    onKeyDown,
    attributes: {
      "aria-haspopup": "listbox" as const,
      ...(isShown && { "aria-controls": `${id}-list` }),
      ...(marked && { "aria-activedescendant": `${id}-${marked.id}` }),
    },
  };
}

type ListProps = Pick<ReturnType<typeof useRecent>, "id" | "entries" | "isShown" | "at" | "choose">;

/** The list below the field. */
export function RecentSearches({ id, entries, isShown, at, choose }: ListProps) {
  if (!isShown) return null;
  return (
    <div class="recent">
      <p class="recent-head" aria-hidden="true">
        Recent searches
      </p>
      <Options id={id} label="Recent searches" options={entries} index={at} choose={choose} />
    </div>
  );
}

/** Typing leaves a search for each rest: of those that begin alike, only the newest is shown. */
function withoutRepeats(listed: readonly { id: string; query: string; hasFile?: boolean }[]): Recent[] {
  const shown: Recent[] = [];
  for (const { id, query, hasFile = false } of listed) {
    const prose = query.trim();
    const text = hasFile ? `${prose} ${NOT_KEPT}`.trim() : prose;
    const isRepeat = shown.some((each) => each.text.toLowerCase().startsWith(text.toLowerCase()));
    if (!isRepeat) shown.push({ id, text, asked: prose === "" ? undefined : { ...NOTHING, prose } });
  }
  return shown.slice(0, MAX_SHOWN);
}

const NOTHING = askedBy(new URLSearchParams());
