/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { rowFilters, rowOrder } from "../../../shared/addresses.ts";
import { queryOf, useQuery } from "../../api/queries.ts";

/** A shorter list is scrolled at once. */
const MIN_ROWS = 100;
const BY_NAME_OR_DATE = /^-?(name|created_at)$/;
const IS_MONTH = /^\d{4}-/;
const months = new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit", timeZone: "UTC" });
const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

type Props = { search: URLSearchParams; total: number; onJump: (position: number) => void };

/** Letters or months beside the scrollbar, where the list is sorted by name or date. A press scrolls there. */
export function Rail({ search, total, onJump }: Props) {
  const asked = rowFilters(search);
  asked.set("sort", rowOrder(search));
  const isWanted = total >= MIN_ROWS && BY_NAME_OR_DATE.test(rowOrder(search));
  const { data } = useQuery(isWanted ? queryOf(`/app/tracks/marks?${asked}`, { tracks: "all" }) : null);
  const at = useSignal(0);
  const marks = isWanted ? (data?.data ?? []) : [];
  if (marks.length < 2) return null;
  const current = Math.min(at.value, marks.length - 1);
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that belong together, without a border
    <div
      class={`rail ${IS_MONTH.test(marks[0]?.label ?? "") ? "rail-months" : ""}`}
      role="group"
      aria-label="Jump to"
      onKeyDown={(event) => {
        const by = MOVES[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        at.value = Math.max(0, Math.min(marks.length - 1, current + by));
        (event.currentTarget.children[at.value] as HTMLElement).focus();
      }}
    >
      {marks.map(({ label, position }, index) => (
        <button
          key={label}
          type="button"
          tabIndex={index === current ? 0 : -1}
          aria-label={`Jump to ${nameOf(label)}`}
          onClick={() => {
            at.value = index;
            onJump(position);
          }}
        >
          {nameOf(label)}
        </button>
      ))}
    </div>
  );
}

const nameOf = (label: string) =>
  IS_MONTH.test(label) ? months.format(new Date(`${label}-01T00:00:00Z`)) : label;
