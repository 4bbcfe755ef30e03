/** @jsxRuntime automatic @jsxImportSource preact */
import { Cards } from "./cards.tsx";

/** Every playlist as a card. */
export default function PlaylistsScreen() {
  return (
    <Cards kind="playlist" heading="Playlists" empty="No playlist yet">
      <p class="soft">
        A playlist holds tracks in an order. Share it with one link, and whoever opens it hears them at the
        same loudness.
      </p>
    </Cards>
  );
}
