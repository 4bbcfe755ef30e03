/** @jsxRuntime automatic @jsxImportSource preact */
import { Cards } from "./cards.tsx";

const EMPTY = [
  "No albums yet",
  "Drop the folder of an album into this window: it arrives with its cover, in the order of its songs. Or select tracks in the library and make an album of them.",
] as const;

/** Every album as its cover. */
export default function AlbumsScreen() {
  return <Cards kind="album" heading="Albums" empty={EMPTY} />;
}
