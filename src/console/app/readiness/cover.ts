import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { dataUriOf, PICTURES } from "../ui/data-uri.ts";
import { attempt, toast } from "../ui/toast.tsx";
import type { About } from "./about.ts";
import { writePlaylist } from "./write.ts";

/** Lets the person choose a picture, which becomes the cover of the track or the album. */
export function chooseCover(about: About): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = PICTURES;
  input.addEventListener("change", () => {
    const picture = input.files?.[0];
    if (picture) attempt(() => setCover(about, picture));
  });
  input.click();
}

async function setCover({ trackId, playlistId }: About, picture: File): Promise<void> {
  const base64 = await dataUriOf(picture);
  if (trackId !== undefined) {
    await dataOf(api.POST("/app/library/tracks/cover-art", { body: { trackId, base64 } }));
    changed("tracks", [trackId]);
  } else if (playlistId !== undefined) await writePlaylist(playlistId, { image: base64 });
  toast("Cover changed");
}
