/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { toast, toastError } from "../ui/toast.tsx";

/** Adds three short tracks to the library, for those who have no music at hand. */
export function AddDemoButton() {
  const isAdding = useSignal(false);
  const add = async () => {
    isAdding.value = true;
    try {
      const { added } = await dataOf(api.POST("/app/tracks/demo"));
      toast(added === 0 ? "The demo tracks are already in your library" : `${added} demo tracks added`);
      changed("tracks", null);
    } catch (thrown) {
      toastError(thrown);
    }
    isAdding.value = false;
  };
  return (
    <button
      type="button"
      class="button quiet"
      aria-busy={isAdding.value}
      onClick={() => isAdding.value || void add()}
    >
      Add demo tracks
    </button>
  );
}
