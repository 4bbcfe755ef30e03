import type { RefObject } from "preact";
import { optimistically, readAt } from "../../api/queries.ts";
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
      () => order(playlistId, trackIds).catch((refused) => moveAgain(playlistId, next, moved, refused)),
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

const MOST_TRIES = 5;

/**
 * Repeats a move that was refused since somebody else has added or taken tracks meanwhile: the row goes between the rows where it was
 * put, as far as they are still there.
 *
 * @throws ApiError when the list is the one that was known.
 */
async function moveAgain(
  playlistId: string,
  wanted: readonly Row[],
  moved: Row,
  refused: unknown,
): Promise<void> {
  let known = wanted;
  let problem = refused;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { data: rows } = await readAt<{ data: Row[] }>(rowsQuery(playlistId).queryKey[0]);
    const isSame =
      rows.length === known.length &&
      rows.every(({ placeId }) => known.some((row) => row.placeId === placeId));
    const row = rows.find(({ placeId }) => placeId === moved.placeId);
    if (isSame || !row) throw problem;
    const others = rows.filter((each) => each !== row);
    known = others.toSpliced(placeAmong(others, wanted, moved), 0, row);
    try {
      return await order(
        playlistId,
        known.map(({ id }) => id),
      );
    } catch (thrown) {
      problem = thrown;
    }
  }
  throw problem;
}

/** Returns where a row goes among others: before the next of its new neighbours that is there, or else behind the one before it. */
function placeAmong(others: readonly Row[], wanted: readonly Row[], moved: Row): number {
  const after = wanted.slice(wanted.findIndex(({ placeId }) => placeId === moved.placeId) + 1);
  for (const { placeId } of after) {
    const at = others.findIndex((each) => each.placeId === placeId);
    if (at >= 0) return at;
  }
  const before = wanted.slice(0, wanted.length - after.length - 1).at(-1);
  const at = others.findIndex(({ placeId }) => placeId === before?.placeId);
  return at < 0 ? others.length : at + 1;
}
