/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

/** Adds three short tracks to the library, for those who have no music at hand. */
export function AddDemoButton() {
  const isAdding = useSignal(false);
  const add = async () => {
    if (isAdding.peek()) return;
    isAdding.value = true;
    try {
      const { added } = await dataOf(api.POST("/app/tracks/demo"));
      toast(added === 0 ? "The demo tracks are already in your library" : `${added} demo tracks added`);
      changed("tracks", null);
    } finally {
      isAdding.value = false;
    }
  };
  return (
    <Button look="quiet" aria-busy={isAdding.value} run={add}>
      Add demo tracks
    </Button>
  );
}
