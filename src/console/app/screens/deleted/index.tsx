/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { day } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { toast } from "../../ui/toast.tsx";
import "./deleted.css";
import { BIN_DAYS } from "../../../../modules/library/bin/shapes.ts";

const deletedTracks = () => query("/app/tracks/deleted", { query: { limit: 50 } }, { tracks: "all" });

/** The bin: tracks and playlists that were deleted, and how to restore them. */
export default function RecentlyDeletedScreen() {
  const { data, error, refetch } = useQuery(deletedTracks());
  const tracks = data?.data ?? [];
  return (
    <Screen heading="Recently deleted" tools={tracks.length > 0 && can("manage:library") && <EmptyBin />}>
      {tracks.length > 0 && <p class="soft">Deleted tracks are kept for {BIN_DAYS} days.</p>}
      <Problem error={error} onRetry={refetch} />
      {data && tracks.length === 0 && (
        <Empty heading="Nothing has been deleted">
          <p class="soft">
            Tracks that you delete stay here for {BIN_DAYS} days. Restore one, and it returns to its place.
          </p>
        </Empty>
      )}
      <ul class="deleted" hidden={tracks.length === 0}>
        {tracks.map((track) => (
          <li key={track.id} class="deleted-line">
            <CoverPicture seed={track.id} cover={track.cover} />
            <span class="deleted-name">
              <span class="deleted-title">{track.title}</span>
              <span class="soft">
                {track.artist ? `${track.artist} · ` : ""}kept until {day(track.deletesAt)}
              </span>
            </span>
            {can("update:tracks") && (
              <Button look="secondary small" label={`Restore ${track.title}`} run={() => restore(track)}>
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Screen>
  );
}

async function restore({ id, title }: { id: string; title: string }): Promise<void> {
  await dataOf(api.POST("/app/tracks/{trackId}/restore", { params: { path: { trackId: id } } }));
  changed("tracks", null);
  toast(`${title} restored`);
}

function EmptyBin() {
  const empty = async () => {
    if (!(await confirmFinal("Delete everything in the bin for good?", "Delete for good"))) return;
    await api.DELETE("/app/tracks/deleted");
    changed("tracks", null);
  };
  return (
    <Button look="quiet small" run={empty}>
      Empty the bin
    </Button>
  );
}
