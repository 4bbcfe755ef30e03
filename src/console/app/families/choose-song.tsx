/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { trackTitle } from "../../shared/names.ts";
import { api, dataOf } from "../api/client.ts";
import { changed, query, useQuery } from "../api/queries.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { attempt, toast } from "../ui/toast.tsx";
import { answer, type Question, takeOut } from "./questions.ts";
import { asWords } from "./words.ts";

const MAX_OPTIONS = 20;

/** Finds the song that a track is of, in place of the one that was proposed. */
export function ChooseSong({ question, onClose }: { question: Question; onClose: () => void }) {
  const typed = useSignal("");
  const q = typed.value.trim();
  const { data } = useQuery(
    query("/app/tracks", { query: { limit: MAX_OPTIONS, ...(q !== "" && { q }) } }, { tracks: "all" }),
  );
  const options = (data?.data ?? [])
    .filter(({ id }) => id !== question.id && id !== question.otherId)
    .map(({ id, title, name, artist }) => ({
      id,
      text: trackTitle({ title: title === name ? null : title, name }),
      hint: artist ?? "",
    }));
  return (
    <Dialog label={`Which song is “${question.title}” of?`} kind="add-tracks" onClose={onClose}>
      <Combobox
        label="Song"
        isInline
        autofocus
        placeholder="Title or artist"
        text={typed}
        options={options}
        nothing="No track is called like this"
        onChoose={({ id, text }) => {
          attempt(async () => {
            await keepWith(question, id, text);
            onClose();
          });
        }}
      />
    </Dialog>
  );
}

async function keepWith(question: Question, otherId: string, otherTitle: string): Promise<void> {
  const { id, title, kind, part, editSec } = question;
  // First, so that it is remembered: what is in a set is not asked about.
  await answer(id, question.otherId, "no");
  await dataOf(
    api.PUT("/app/tracks/{trackId}/family", {
      params: { path: { trackId: id } },
      body: { with: otherId, kind, part, editSec },
    }),
  );
  changed("tracks", [id, otherId]);
  toast(`Kept “${title}” with “${otherTitle}” as its ${asWords(question)}.`, { undo: () => takeOut(id) });
}
