import { api, dataOf } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { changed, queryClient } from "../api/queries.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { rowsQuery } from "./types.ts";

/** A track that is put into a playlist. */
export type Addition = { id: string; title: string };

/** Returns which of the tracks a playlist has already. */
export async function alreadyIn(playlistId: string, tracks: readonly Addition[]): Promise<Addition[]> {
  const { data } = await queryClient.fetchQuery({ ...rowsQuery(playlistId), staleTime: 0 });
  const there = new Set(data.map(({ id }) => id));
  return tracks.filter(({ id }) => there.has(id));
}

/** Appends tracks to a playlist, and says so. `isUndoable` false: some were in it before. */
export async function addTo(
  playlist: { id: string; name: string },
  tracks: readonly Addition[],
  isUndoable: boolean,
): Promise<void> {
  await append(
    playlist.id,
    tracks.map(({ id }) => id),
  );
  toast(`Added to ${playlist.name}`, {
    ...(isUndoable && {
      undo: async () => {
        await Promise.all(tracks.map(({ id }) => dropTrack(playlist.id, id)));
        changed("playlists", [playlist.id]);
      },
    }),
  });
}

/** Takes every place of tracks out of a playlist, with a way back. `before` is the order until now. */
export async function removeFrom(
  playlistId: string,
  tracks: readonly Addition[],
  before: readonly string[],
): Promise<void> {
  const ids = new Set(tracks.map(({ id }) => id));
  try {
    await Promise.all([...ids].map((id) => dropTrack(playlistId, id)));
  } catch (thrown) {
    return toastError(thrown);
  } finally {
    changed("playlists", [playlistId]);
  }
  toast(`${ids.size === 1 ? tracks[0]?.title : `${ids.size} tracks`} removed`, {
    undo: async () => {
      await append(
        playlistId,
        before.filter((each) => ids.has(each)),
      );
      await order(playlistId, before);
      changed("playlists", [playlistId]);
    },
  });
}

/** Puts a playlist's tracks into an order. @throws ApiError */
export async function order(playlistId: string, trackIds: readonly string[]): Promise<void> {
  refusal(
    await dataOf(
      api.PATCH("/app/library/playlists/{playlistId}/order", {
        params: { path: { playlistId } },
        body: { trackIds: [...trackIds] },
      }),
    ),
  );
}

async function append(playlistId: string, trackIds: readonly string[]): Promise<void> {
  refusal(
    await dataOf(
      api.POST("/app/library/playlists/{playlistId}/tracks", {
        params: { path: { playlistId } },
        body: { trackIds: [...trackIds] },
      }),
    ),
  );
  changed("playlists", [playlistId]);
}

async function dropTrack(playlistId: string, trackId: string): Promise<void> {
  refusal(
    await dataOf(
      api.DELETE("/app/library/playlists/{playlistId}/tracks/{trackId}", {
        params: { path: { playlistId, trackId } },
      }),
    ),
  );
}

/** REST refuses an unknown playlist or track within a 200. @throws ApiError */
function refusal(answer: { ok: boolean; error?: string }): void {
  if (!answer.ok) throw new ApiError(404, String(answer.error), "It no longer exists");
}
