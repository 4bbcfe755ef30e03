import { api } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { type Card, pathOf } from "../../playlists/types.ts";
import { go } from "../../router.ts";
import { toast } from "../../ui/toast.tsx";

/** Puts a playlist or an album into the bin and goes back to the others. */
export async function deletePlaylist(card: Card): Promise<void> {
  const { id, name, kind } = card;
  const params = { path: { playlistId: id } };
  await api.DELETE("/app/playlists/{playlistId}", { params });
  go(`/library/${kind}s`, { replace: true });
  changed("playlists", null);
  toast(`${name} deleted`, {
    undo: async () => {
      await api.POST("/app/playlists/{playlistId}/restore", { params });
      changed("playlists", null);
      go(pathOf(card));
    },
  });
}
