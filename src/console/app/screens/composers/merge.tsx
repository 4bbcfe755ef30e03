/** @jsxRuntime automatic @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { counted } from "../../ui/numbers.ts";
import { toast } from "../../ui/toast.tsx";
import type { Composer } from "./types.ts";

/** Asks which of two entries stays, and makes them one. */
export function openMerge(
  pair: readonly [Composer, Composer],
  onMerged: (keptId: string) => void = () => undefined,
) {
  showDialog((close) => <MergeDialog pair={pair} onMerged={onMerged} onClose={close} />);
}

type DialogProps = {
  pair: readonly [Composer, Composer];
  onMerged: (keptId: string) => void;
  onClose: () => void;
};

function MergeDialog({ pair: [one, other], onMerged, onClose }: DialogProps) {
  const keptId = useSignal(one.id);
  const [kept, gone] = keptId.value === one.id ? [one, other] : [other, one];
  const run = () => {
    onClose();
    return merge(kept, gone, onMerged);
  };
  return (
    <Dialog label="Merge composers" onClose={onClose}>
      <fieldset class="merge-choice">
        <legend>Which entry do you want to keep?</legend>
        {[one, other].map((each) => (
          <label key={each.id}>
            <input
              type="radio"
              name="kept"
              checked={each.id === keptId.value}
              onChange={() => {
                keptId.value = each.id;
              }}
            />
            <span>
              <strong>{each.fullName}</strong>
              <span class="soft">
                {[each.email, each.pro, each.ipi, counted(each.trackCount, "track").replace(" ", "\u00a0")]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="soft">
        It gets the other’s shares and any details that are missing. Shares of the same track in the same role
        are added up.
      </p>
      <div class="dialog-actions">
        <Button look="quiet" run={onClose}>
          Cancel
        </Button>
        <Button run={run}>Merge</Button>
      </div>
    </Dialog>
  );
}

async function merge(kept: Composer, gone: Composer, onMerged: (keptId: string) => void): Promise<void> {
  const { undoId } = await dataOf(
    api.POST("/app/composers/{id}/merge", {
      params: { path: { id: kept.id } },
      body: { composerId: gone.id },
    }),
  );
  changed("composers", null);
  onMerged(kept.id);
  toast(`${gone.fullName} is ${kept.fullName} now`, {
    undo: async () => {
      await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
      changed("composers", null);
    },
  });
}
