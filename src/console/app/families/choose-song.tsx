/** @jsxRuntime automatic @jsxImportSource preact */
import { TrackFinder } from "../actions/track-finder.tsx";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { attempt, toast } from "../ui/toast.tsx";
import { answer, type Question, takeOut } from "./questions.ts";
import { asWords } from "./words.ts";

/** Finds the song that a track is of, in place of the one that was proposed. */
export function ChooseSong({ question, onClose }: { question: Question; onClose: () => void }) {
  return (
    <Dialog label={`Which song is “${question.title}” of?`} kind="add-tracks" onClose={onClose}>
      <TrackFinder
        label="Song"
        nothing="No track is called like this"
        isLeftOut={(id) => id === question.id || id === question.otherId}
        onChoose={({ id, title }) => {
          attempt(async () => {
            await keepWith(question, id, title);
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
