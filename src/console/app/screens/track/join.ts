import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { go, place } from "../../router.ts";
import { toast } from "../../ui/toast.tsx";

type Joinable = { id: string; title: string; createdAt: string };

/** Makes the track that was added later versions of the one that was there first, which plays them from now on. */
export async function joinOlder(one: Joinable, other: Joinable): Promise<void> {
  const [kept, gone] = one.createdAt > other.createdAt ? [other, one] : [one, other];
  const joined = await dataOf(
    api.POST("/app/tracks/{trackId}/join", {
      params: { path: { trackId: kept.id } },
      body: { trackId: gone.id },
    }),
  );
  const isHere = place.peek().path === `/library/tracks/${gone.id}`;
  if (isHere) go(`/library/tracks/${kept.id}`);
  refresh(kept.id, gone.id);
  toast(`${gone.title} is a version of ${kept.title} now`, {
    undo: async () => {
      await separate(joined);
      refresh(kept.id, gone.id);
    },
  });
}

type Joined = { trackId: string; binnedTrackId: string; versionIds: string[]; versionBefore: string };

/** Takes back what {@link joinOlder} did. The track comes back first, so that its audio always has a place. */
async function separate({ trackId, binnedTrackId, versionIds, versionBefore }: Joined): Promise<void> {
  await dataOf(api.POST("/app/tracks/{trackId}/restore", { params: { path: { trackId: binnedTrackId } } }));
  const versionOf = (versionId: string) => ({ params: { path: { trackId, versionId } } });
  await dataOf(
    api.POST("/app/library/tracks/{trackId}/versions/{versionId}/activate", versionOf(versionBefore)),
  );
  for (const versionId of versionIds)
    await dataOf(api.DELETE("/app/library/tracks/{trackId}/versions/{versionId}", versionOf(versionId)));
}

function refresh(...trackIds: string[]): void {
  changed("tracks", trackIds);
  changed("versions", trackIds);
}
