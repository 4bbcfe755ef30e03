import type { RefObject } from "preact";
import { optimistically } from "../../api/queries.ts";
import { order } from "../../playlists/change.ts";
import { type Row, rowsQuery } from "../../playlists/types.ts";
import { useKept } from "../../router.ts";
import { announce } from "../../ui/announce.ts";
import { toastError } from "../../ui/toast.tsx";
import { scrollToRow } from "../../ui/window-rows.ts";

/** Where the focus is in a playlist's rows, and how they change places. */
export function useOrder(playlistId: string, rows: readonly Row[], body: RefObject<HTMLElement | null>) {
  const active = useKept<number | undefined>("row", undefined);
  const at = Math.max(
    0,
    rows.findIndex(({ placeId }) => placeId === active.value),
  );
  const within = (index: number) => Math.max(0, Math.min(rows.length - 1, index));

  const focusRow = (index: number) => {
    const to = within(index);
    const row = rows[to];
    if (!row || !body.current) return;
    active.value = row.placeId;
    scrollToRow(body.current, to);
    focusSoon(body.current, row.placeId);
  };
  const move = async (from: number, index: number) => {
    const [moved, to] = [rows[from], within(index)];
    if (!moved || to === from) return;
    const next = rows.toSpliced(from, 1).toSpliced(to, 0, moved);
    const trackIds = next.map(({ id }) => id);
    active.value = moved.placeId;
    announce(`Moved to ${to + 1} of ${rows.length}`);
    await optimistically(
      rowsQuery(playlistId),
      (answer) => ({ ...answer, data: next }),
      () => order(playlistId, trackIds),
    ).catch(toastError);
  };
  /** Moves the row that has the focus, which keeps it and stays in view. */
  const moveActive = (by: 1 | -1) => {
    const row = rows[at];
    void move(at, at + by);
    if (!row || !body.current) return;
    scrollToRow(body.current, within(at + by));
    focusSoon(body.current, row.placeId);
  };
  return { active, at, focusRow, move, moveActive };
}

function focusSoon(body: HTMLElement, placeId: number): void {
  requestAnimationFrame(() =>
    body.querySelector<HTMLElement>(`[data-place="${placeId}"]`)?.focus({ preventScroll: true }),
  );
}
