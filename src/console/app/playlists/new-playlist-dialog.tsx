/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { sentenceOf } from "../api/errors.ts";
import { changed } from "../api/queries.ts";
import { go } from "../router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextField } from "../ui/field.tsx";

type Props = { name?: string; trackIds?: readonly string[]; onClose: () => void };

/** Makes a playlist, and goes there. */
export function NewPlaylistDialog({ name = "", trackIds = [], onClose }: Props) {
  const [named, description] = [useSignal(name), useSignal("")];
  const problem = useSignal<string | undefined>(undefined);
  const create = async () => {
    if (named.value.trim() === "") {
      problem.value = "Give it a name";
      return;
    }
    try {
      const body = {
        name: named.value,
        description: description.value.trim() || null,
        trackIds: [...trackIds],
      };
      const { id } = await dataOf(api.POST("/app/playlists", { body }));
      changed("playlists", null);
      onClose();
      go(`/library/playlists/${id}`);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    }
  };
  return (
    <Dialog label="New playlist" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field
          label="Name"
          maxLength={120}
          autofocus
          value={named.value}
          error={problem.value}
          onInput={({ currentTarget }) => {
            named.value = currentTarget.value;
            problem.value = undefined;
          }}
        />
        <TextField
          label="Description"
          maxLength={2000}
          value={description.value}
          onInput={({ currentTarget }) => {
            description.value = currentTarget.value;
          }}
        />
        <div class="dialog-actions">
          <button type="submit" class="button">
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
