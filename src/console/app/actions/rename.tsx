/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { sentenceOf } from "../api/errors.ts";
import { changed } from "../api/queries.ts";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import { patchTracks, type TrackRow } from "./tracks.ts";

/** Opens the dialog that gives a track another title. */
export function openRename(row: Pick<TrackRow, "id" | "title">): void {
  showDialog((close) => <RenameDialog row={row} onClose={close} />);
}

/** Gives a track another title, shown at once; says so with an "Undo". @throws ApiError. */
async function rename({ id, title: before }: Pick<TrackRow, "id" | "title">, title: string): Promise<void> {
  const takeBack = patchTracks((row) => row.id === id, { title });
  try {
    await write(id, title);
  } catch (thrown) {
    takeBack();
    throw thrown;
  }
  toast(`Renamed to ${title}`, { undo: () => write(id, before) });
}

async function write(id: string, title: string): Promise<void> {
  await dataOf(api.PATCH("/app/library/tracks/details", { params: { query: { id } }, body: { title } }));
  changed("tracks", [id]);
}

type DialogProps = { row: Pick<TrackRow, "id" | "title">; onClose: () => void };

function RenameDialog({ row, onClose }: DialogProps) {
  const title = useSignal(row.title);
  const error = useSignal<string | undefined>(undefined);
  const submit = async () => {
    const next = title.value.trim();
    error.value = next === "" ? "A track needs a title." : undefined;
    if (next === "") return;
    try {
      if (next !== row.title) await rename(row, next);
      onClose();
    } catch (thrown) {
      error.value = sentenceOf(thrown);
    }
  };
  return (
    <Dialog label={`Rename ${row.title}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label="Title"
          value={title.value}
          autofocus
          maxLength={500}
          error={error.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
