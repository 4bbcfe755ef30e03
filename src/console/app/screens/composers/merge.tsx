/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
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
  return (
    <FormDialog
      label="Merge composers"
      verb="Merge"
      onClose={onClose}
      send={() => merge(kept, gone, onMerged)}
    >
      {() => (
        <>
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
                    {[
                      each.email,
                      each.pro,
                      each.ipi,
                      counted(each.trackCount, "track").replace(" ", "\u00a0"),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
          <p class="soft">
            It gets the other’s shares and any details that are missing. Shares of the same track in the same
            role are added up.
          </p>
        </>
      )}
    </FormDialog>
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
