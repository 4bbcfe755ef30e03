/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { ago } from "../../ui/dates.ts";
import { percent } from "../../ui/numbers.ts";
import { scrollToRow, useRowWindow } from "../../ui/window-rows.ts";
import type { Fit } from "./fit.ts";
import { type Item, nameOf, STATE_WORDS, senderOf } from "./items.ts";

type ListProps = {
  items: readonly Item[];
  openId: string | undefined;
  fits: ReadonlyMap<string, Fit>;
  onOpen: (item: Item) => void;
};

/** The list "Submissions". Only the rows that show are drawn. */
export function Submissions({ items, openId, fits, onOpen }: ListProps) {
  const list = useRef<HTMLUListElement>(null);
  const { from, to, rowPx } = useRowWindow(list, items.length);
  const openAt = items.findIndex(({ id }) => id === openId);
  useLayoutEffect(() => {
    if (openAt >= 0 && list.current) scrollToRow(list.current, openAt);
  }, [openId, openAt]);
  return (
    <ul
      ref={list}
      class="inbox-list"
      aria-label="Submissions"
      style={{
        paddingTop: `${from * rowPx}px`,
        paddingBottom: `${Math.max(0, items.length - to) * rowPx}px`,
      }}
    >
      {items.slice(from, to).map((item, index) => (
        <li key={item.id} aria-setsize={items.length} aria-posinset={from + index + 1}>
          <button
            type="button"
            class="inbox-row"
            {...(item.id === openId && { "aria-current": "true" as const })}
            onClick={() => onOpen(item)}
          >
            <span class="inbox-row-title">{nameOf(item)}</span>
            <span class="inbox-row-side">
              <RowFit fit={item.track ? fits.get(item.track.id) : undefined} />
            </span>
            <span class="inbox-row-from">
              {senderOf(item)} · {ago(item.createdAt)}
            </span>
            <span class={`inbox-row-side mark state-${item.state}`}>{STATE_WORDS[item.state]}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function RowFit({ fit }: { fit: Fit | undefined }) {
  return fit ? <span class="inbox-row-fit">{percent(fit.score)}</span> : null;
}
