/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_DESCRIPTION, MAX_PLAYLIST_NAME } from "../../../modules/library/playlists/shapes.ts";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { go } from "../router.ts";
import { Field, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { typed } from "../ui/use-form.ts";
import { type Card, pathOf } from "./types.ts";

type Props = { kind?: Card["kind"]; name?: string; trackIds?: readonly string[]; onClose: () => void };

/** Makes a playlist or an album, and goes there. */
export function NewPlaylistDialog({ kind = "playlist", name = "", trackIds = [], onClose }: Props) {
  const [named, description] = [useSignal(name), useSignal("")];
  const create = async () => {
    const body = {
      kind,
      name: named.value,
      description: description.value.trim() || null,
      trackIds: [...trackIds],
    };
    const made = await dataOf(api.POST("/app/playlists", { body }));
    changed("playlists", null);
    return () => go(pathOf(made));
  };
  return (
    <FormDialog label={`New ${kind}`} verb="Create" onClose={onClose} send={create}>
      {(wrong) => (
        <>
          <Field label="Name" maxLength={MAX_PLAYLIST_NAME} autofocus error={wrong.name} {...typed(named)} />
          <TextField
            label="Description"
            maxLength={MAX_DESCRIPTION}
            error={wrong.description}
            {...typed(description)}
          />
        </>
      )}
    </FormDialog>
  );
}
