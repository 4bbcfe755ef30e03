import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { paths } from "../api/types.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { patchTracks, type TrackRow, type Where } from "./tracks.ts";

/** Which tracks a change is about, and how many they are. */
export type Target = { where: Where; count: number };
type Body = paths["/app/tracks/bulk"]["post"]["requestBody"]["content"]["application/json"];
type Doing = Body["do"];

/** The target of some rows. */
export const these = (rows: readonly Pick<TrackRow, "id">[]): Target => ({
  where: { ids: rows.map(({ id }) => id) },
  count: rows.length,
});

/** `3 tracks`, `1 track`, `12,403 tracks`. */
export const tracksText = (count: number): string =>
  count === 1 ? "1 track" : `${new Intl.NumberFormat("en").format(count)} tracks`;

/**
 * Changes tracks in one request, however many they are, and says so with an "Undo". Returns whether anything was changed.
 *
 * @param words What the toast says of `n` tracks: "3 tracks hidden".
 */
export async function bulk(
  target: Target,
  doing: Doing,
  words: (tracks: string) => string,
): Promise<boolean> {
  const takeBack = showAtOnce(target, doing);
  try {
    const body = { where: target.where, do: doing };
    const { changed: count, failed, undoId } = await dataOf(api.POST("/app/tracks/bulk", { body }));
    changed("tracks", null);
    if (count > 0 || failed.length === 0)
      toast(words(tracksText(count)), undoId === null ? {} : { undo: () => undo(undoId) });
    const [first] = failed;
    if (first)
      toast(`${tracksText(failed.length)} could not be changed: ${first.message}`, { kind: "alert" });
    return count > 0;
  } catch (thrown) {
    takeBack();
    toastError(thrown);
    return false;
  }
}

async function undo(undoId: string): Promise<void> {
  await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
  changed("tracks", null);
}

/** What can be known before the answer. */
function showAtOnce({ where }: Target, { visible, retag }: Doing): () => void {
  const isMeant = (row: TrackRow) =>
    "ids" in where ? where.ids.includes(row.id) : !where.except?.includes(row.id);
  const patch: Partial<TrackRow> = {
    ...(visible !== undefined && { visible }),
    ...(retag && { status: "pending" as const, reason: null }),
  };
  return Object.keys(patch).length > 0 && "ids" in where ? patchTracks(isMeant, patch) : () => undefined;
}

export const analyseAgain = (target: Target) =>
  bulk(target, { retag: true }, (tracks) => `Analysing ${tracks} again`);

export const setVisible = (target: Target, visible: boolean) =>
  bulk(target, { visible }, (tracks) => `${tracks} ${visible ? "shown" : "hidden"}`);

export const deleteTracks = (target: Target) =>
  bulk(target, { delete: true }, (tracks) => `${tracks} deleted`);
