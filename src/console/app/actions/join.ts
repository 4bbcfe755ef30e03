import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { toast } from "../ui/toast.tsx";

/** Makes the versions of one track those of another, which plays them from now on. The toast has an "Undo" for all of it. */
export async function joinTracks(
  { keptId, goneId }: { keptId: string; goneId: string },
  { text, onUndone }: { text: string; onUndone?: () => void },
): Promise<void> {
  const { undoId } = await dataOf(
    api.POST("/app/tracks/{trackId}/join", {
      params: { path: { trackId: keptId } },
      body: { trackId: goneId },
    }),
  );
  const refresh = () => {
    changed("tracks", [keptId, goneId]);
    changed("versions", [keptId, goneId]);
  };
  refresh();
  toast(text, {
    undo: async () => {
      await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
      onUndone?.();
      refresh();
    },
  });
}
