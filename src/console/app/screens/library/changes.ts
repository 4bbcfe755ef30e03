import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import type { paths } from "../../api/types.ts";
import { toast, toastError } from "../../ui/toast.tsx";

/** Which tracks a change is about, and what is done to them. */
type Change = paths["/app/tracks/bulk"]["post"]["requestBody"]["content"]["application/json"];
export type Where = Change["where"];
export type Do = Change["do"];

/**
 * Changes tracks and says so, with an "Undo" where it can be undone.
 *
 * @param say The toast for a number of tracks: "3 tracks deleted".
 */
export async function change(where: Where, what: Do, say: (count: string) => string): Promise<void> {
  try {
    const result = await dataOf(api.POST("/app/tracks/bulk", { body: { where, do: what } }));
    changed("tracks", null);
    const { undoId, failed } = result;
    toast(say(tracks(result.changed)), undoId === null ? {} : { undo: () => undo(undoId) });
    const [first] = failed;
    if (first) toast(`${tracks(failed.length)} not changed. ${first.message}`, { kind: "alert" });
  } catch (thrown) {
    toastError(thrown);
  }
}

async function undo(undoId: string): Promise<void> {
  await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
  changed("tracks", null);
}

/** Returns a number of tracks in words: "1 track", "12,403 tracks". */
export const tracks = (count: number): string =>
  count === 1 ? "1 track" : `${new Intl.NumberFormat().format(count)} tracks`;

/** Saves the active version's file. */
export async function download(trackId: string): Promise<void> {
  try {
    const { versions } = await dataOf(
      api.GET("/app/library/tracks/{trackId}/versions", { params: { path: { trackId } } }),
    );
    const active = versions.find((version) => version.active);
    if (active) window.location.assign(active.downloadUrl);
  } catch (thrown) {
    toastError(thrown);
  }
}
