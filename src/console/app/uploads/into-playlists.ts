import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { isOpen, note, type Upload, uploads } from "./state.ts";

/** Puts files dropped on playlists into them, in their order, once all are in the library. */
export async function fillPlaylists(): Promise<void> {
  const dropped = uploads.value.filter(({ about: { playlist, made } }) => playlist && !made?.isListed);
  for (const [id, some] of Map.groupBy(dropped, ({ about }) => about.playlist?.id ?? ""))
    if (!some.some(isOpen)) await fill(id, some);
}

async function fill(playlistId: string, dropped: readonly Upload[]): Promise<void> {
  const trackIds = new Set<string>();
  for (const upload of dropped) {
    const { made } = upload.about;
    if (!made) continue;
    trackIds.add(made.trackId);
    note(upload, { made: { ...made, isListed: true } });
  }
  if (trackIds.size === 0) return;
  const params = { path: { playlistId } };
  try {
    await dataOf(
      api.POST("/app/library/playlists/{playlistId}/tracks", { params, body: { trackIds: [...trackIds] } }),
    );
    toast(`Added to ${dropped[0]?.about.playlist?.name ?? "the playlist"}`);
  } catch (thrown) {
    toastError(thrown);
  }
  changed("playlists", [playlistId]);
}
