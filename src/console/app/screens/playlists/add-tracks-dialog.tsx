/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { TrackFinder } from "../../actions/track-finder.tsx";
import { sentenceOf } from "../../api/errors.ts";
import { type Addition, addTo, alreadyIn } from "../../playlists/change.ts";
import { Duplicates } from "../../playlists/duplicates.tsx";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Refusal } from "../../ui/field.tsx";

type Props = { playlist: { id: string; name: string }; onClose: () => void };

/** Finds tracks of the library and puts them into a playlist, several at once. */
export function AddTracksDialog({ playlist, onClose }: Props) {
  const chosen = useSignal<readonly Addition[]>([]);
  const twice = useSignal<readonly Addition[] | null>(null);
  const problem = useSignal<string | undefined>(undefined);
  const others = chosen.value.filter(({ id }) => !twice.value?.some((each) => each.id === id));

  const add = async (tracks: readonly Addition[], isUndoable: boolean) => {
    try {
      await addTo(playlist, tracks, isUndoable);
      onClose();
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    }
  };
  const submit = async () => {
    if (chosen.value.length === 0) return;
    try {
      const already = await alreadyIn(playlist.id, chosen.value);
      if (already.length > 0) twice.value = already;
      else await add(chosen.value, true);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    }
  };
  return (
    <Dialog label="Add tracks" kind="add-tracks" onClose={onClose}>
      {twice.value ? (
        <Duplicates
          twice={twice.value}
          others={others}
          playlist={playlist.name}
          onAdd={(which) => void add(which === "all" ? chosen.value : others, which === "others")}
        />
      ) : (
        <>
          <Finder chosen={chosen} />
          <div class="dialog-actions">
            <Button aria-disabled={chosen.value.length === 0} run={submit}>
              {chosen.value.length > 1 ? `Add ${chosen.value.length} tracks` : "Add"}
            </Button>
          </div>
        </>
      )}
      <Refusal sentence={problem.value} />
    </Dialog>
  );
}

function Finder({ chosen }: { chosen: Signal<readonly Addition[]> }) {
  const typed = useSignal("");
  const removeAt = (at: number) => {
    chosen.value = chosen.value.toSpliced(at, 1);
  };
  return (
    <>
      <Chips words={chosen.value.map(({ title }) => title)} onRemove={removeAt} />
      <TrackFinder
        typed={typed}
        isLeftOut={(trackId) => chosen.value.some(({ id }) => id === trackId)}
        onChoose={(found) => {
          chosen.value = [...chosen.value, found];
          typed.value = "";
        }}
        onBackspace={() => removeAt(-1)}
      />
    </>
  );
}
