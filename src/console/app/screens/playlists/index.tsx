/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function PlaylistsScreen() {
  return <Screen heading="Playlists" />;
}
