/** @jsxRuntime automatic @jsxImportSource preact */
import { showDialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { type Addition, addTo, alreadyIn } from "./change.ts";

/** Opens the dialog "Add to playlist" for tracks. */
export async function openPicker(tracks: readonly Addition[]): Promise<void> {
  if (tracks.length === 0) return;
  await opened(async () => {
    const { PickerDialog } = await import("./picker-dialog.tsx");
    showDialog((close) => <PickerDialog tracks={tracks} onClose={close} />);
  });
}

/** Adds tracks to a playlist. What it has already is told first, in the same dialog. @throws ApiError */
export async function addOrAsk(
  playlist: { id: string; name: string },
  tracks: readonly Addition[],
): Promise<void> {
  const twice = await alreadyIn(playlist.id, tracks);
  if (twice.length === 0) return addTo(playlist, tracks, true);
  await opened(async () => {
    const { PickerDialog } = await import("./picker-dialog.tsx");
    showDialog((close) => (
      <PickerDialog tracks={tracks} chosen={{ target: playlist, twice }} onClose={close} />
    ));
  });
}

/** Opens the dialog "New playlist" or "New album", with a name that is suggested and the tracks that it begins with. */
export async function openNewPlaylist(
  suggested: { kind?: "playlist" | "album"; name?: string; trackIds?: readonly string[] } = {},
): Promise<void> {
  await opened(async () => {
    const { NewPlaylistDialog } = await import("./new-playlist-dialog.tsx");
    showDialog((close) => <NewPlaylistDialog {...suggested} onClose={close} />);
  });
}

async function opened(open: () => Promise<void>): Promise<void> {
  try {
    await open();
  } catch {
    toast("The dialog could not be loaded. Please reload.", { kind: "alert" });
  }
}
