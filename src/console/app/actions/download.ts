import { api, dataOf } from "../api/client.ts";
import { samePlace } from "../player/sound.ts";
import { toast, toastError } from "../ui/toast.tsx";
import type { TrackRow } from "./tracks.ts";

const MAX_AT_ONCE = 20;
/** Browsers drop downloads that follow each other faster. */
const PAUSE_MS = 400;

/** Downloads the originals of tracks, one file after the other. */
export async function download(rows: readonly Pick<TrackRow, "id" | "activeVersionId">[]): Promise<void> {
  if (rows.length > MAX_AT_ONCE) {
    toast(`At most ${MAX_AT_ONCE} tracks can be downloaded at once.`, { kind: "alert" });
    return;
  }
  try {
    for (const { id: trackId, activeVersionId: versionId } of rows) {
      const path = { trackId, versionId };
      const version = await dataOf(
        api.GET("/app/library/tracks/{trackId}/versions/{versionId}", { params: { path } }),
      );
      const link = document.createElement("a");
      link.href = samePlace(version.downloadUrl);
      link.download = "";
      link.click();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } catch (thrown) {
    toastError(thrown);
  }
}
