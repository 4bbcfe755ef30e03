import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { Body } from "../api/routes.ts";
import { toast } from "../ui/toast.tsx";

/** Puts a track into a set, or changes what it is there. The toast takes it back. @throws ApiError. */
export async function putInSet(
  trackId: string,
  body: Body<"PUT /app/tracks/{trackId}/family">,
  text: string,
): Promise<void> {
  const { undoId } = await dataOf(
    api.PUT("/app/tracks/{trackId}/family", { params: { path: { trackId } }, body }),
  );
  said(text, undoId);
}

/** Takes a track out of its set. The toast puts it back. @throws ApiError. */
export async function takeOut(trackId: string, text: string): Promise<void> {
  const { undoId } = await dataOf(
    api.DELETE("/app/tracks/{trackId}/family", { params: { path: { trackId } } }),
  );
  said(text, undoId);
}

function said(text: string, undoId: string | null): void {
  changed("tracks", null);
  toast(text, undoId === null ? {} : { undo: () => undo(undoId) });
}

async function undo(undoId: string): Promise<void> {
  await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
  changed("tracks", null);
}
