/** @jsxRuntime automatic @jsxImportSource preact */
import { Cards } from "./cards.tsx";

const EMPTY = [
  "No playlists yet",
  "A playlist keeps tracks in order. Share it with one link, and everyone who opens it hears them at the same loudness.",
] as const;

/** Every playlist as a card. */
export default function PlaylistsScreen() {
  return <Cards kind="playlist" heading="Playlists" empty={EMPTY} />;
}
