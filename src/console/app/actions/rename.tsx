/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_LINE } from "../../../modules/library/tracks/shapes.ts";
import { api, dataOf } from "../api/client.ts";
import { emptyField } from "../api/errors.ts";
import { changed } from "../api/queries.ts";
import { showDialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { typed } from "../ui/use-form.ts";
import { noteSaved } from "./others.ts";
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
  noteSaved({
    trackId: id,
    field: "title",
    text: title,
    textIn: (track) => track.audio_profile.title ?? "",
    putBack: () => write(id, title),
  });
  changed("tracks", [id]);
}

type DialogProps = { row: Pick<TrackRow, "id" | "title">; onClose: () => void };

function RenameDialog({ row, onClose }: DialogProps) {
  const title = useSignal(row.title);
  const send = async () => {
    const next = title.value.trim();
    if (next === "") throw emptyField("title");
    if (next !== row.title) await rename(row, next);
  };
  return (
    <FormDialog label={`Rename ${row.title}`} verb="Rename" onClose={onClose} send={send}>
      {(wrong) => (
        <Field label="Title" autofocus maxLength={MAX_LINE} error={wrong.title} {...typed(title)} />
      )}
    </FormDialog>
  );
}
