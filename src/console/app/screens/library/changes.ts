import { api, dataOf, send } from "../../api/client.ts";
import { errorOf } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { toast, toastError } from "../../ui/toast.tsx";

/** Which tracks a change is about: some by id, or a filter of the library with exceptions. */
export type Where =
  | { ids: readonly string[] }
  | { filter: Readonly<Record<string, unknown>>; except: readonly string[] };

/** What is done to them; see `POST /app/tracks/bulk`. */
export type Do = {
  details?: { title: string };
  addTags?: readonly string[];
  removeTags?: readonly string[];
  visible?: boolean;
  addToPlaylist?: string;
  retag?: true;
  delete?: true;
};

type Result = {
  changed: number;
  failed: readonly { id: string; message: string }[];
  undoId: string | null;
};

/**
 * Changes tracks and says so, with an "Undo" where it can be undone.
 *
 * @param say The toast for a number of tracks: "3 tracks deleted".
 */
export async function change(where: Where, what: Do, say: (count: string) => string): Promise<void> {
  try {
    const result = await post<Result>("/app/tracks/bulk", { where, do: what });
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
  await post(`/app/undo/${undoId}`, {});
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

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await send(
    new Request(href(path), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw await errorOf(response);
  return (await response.json()).data;
}
