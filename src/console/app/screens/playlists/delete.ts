import { send } from "../../api/client.ts";
import { errorOf } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { type Card, pathOf } from "../../playlists/types.ts";
import { go } from "../../router.ts";
import { toast, toastError } from "../../ui/toast.tsx";

/** Puts a playlist or an album into the bin and goes back to the others. */
export async function deletePlaylist(card: Card): Promise<void> {
  const { id, name, kind } = card;
  try {
    await ask("DELETE", `/app/playlists/${id}`);
  } catch (thrown) {
    return toastError(thrown);
  }
  go(`/library/${kind}s`, { replace: true });
  changed("playlists", null);
  toast(`${name} deleted`, {
    undo: async () => {
      await ask("POST", `/app/playlists/${id}/restore`);
      changed("playlists", null);
      go(pathOf(card));
    },
  });
}

async function ask(method: string, path: string): Promise<void> {
  const response = await send(new Request(href(path), { method }));
  if (!response.ok) throw await errorOf(response);
}
