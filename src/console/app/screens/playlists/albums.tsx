/** @jsxRuntime automatic @jsxImportSource preact */
import { Cards } from "./cards.tsx";

/** Every album as its cover. */
export default function AlbumsScreen() {
  return (
    <Cards kind="album" heading="Albums" empty="No albums yet">
      <p class="soft">
        Drop the folder of an album into this window: it arrives with its cover, in the order of its songs. Or
        select tracks in the library and make an album of them.
      </p>
    </Cards>
  );
}
