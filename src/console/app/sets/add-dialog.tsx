/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { type FoundTrack, TrackFinder } from "../actions/track-finder.tsx";
import { api, dataOf } from "../api/client.ts";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/form-dialog.tsx";
import { toastError } from "../ui/toast.tsx";
import { putInSet } from "./change.ts";
import { draftOf, type PlaceDraft, PlaceFields, placeOf } from "./place-fields.tsx";
import type { Family } from "./queries.ts";
import { linksWords } from "./words.ts";
import "./sets.css";

type Of = { trackId: string; title: string; family: Family };

/** Asks which track belongs to the song of another one, and what it is of it. */
export const openAdd = (of: Of): void => showDialog((close) => <AddDialog {...of} onClose={close} />);

function AddDialog({ trackId, title, family, onClose }: Of & { onClose: () => void }) {
  const chosen = useSignal<FoundTrack | undefined>(undefined);
  const draft = useSignal<PlaceDraft>({ kind: "other", part: "", editSec: "" });
  const choose = async (found: FoundTrack) => {
    try {
      const [said] = await dataOf(api.POST("/app/families/kinds", { body: { trackIds: [found.id] } }));
      // What says nothing of itself is another mix: there is a main mix already.
      if (said)
        draft.value = draftOf({ ...said, kind: said.kind === "main" && !said.editSec ? "other" : said.kind });
      chosen.value = found;
    } catch (thrown) {
      toastError(thrown);
    }
  };
  const known = new Set([trackId, ...family.members.map((member) => member.trackId)]);
  return (
    <Dialog label={`Add to the set of ${title}`} kind="set-add" onClose={onClose}>
      {chosen.value ? (
        <Placing of={{ trackId, title, family }} added={chosen.value} draft={draft} onClose={onClose} />
      ) : (
        <TrackFinder isLeftOut={(id) => known.has(id)} onChoose={(found) => void choose(found)} />
      )}
    </Dialog>
  );
}

type PlacingProps = { of: Of; added: FoundTrack; draft: Signal<PlaceDraft>; onClose: () => void };

/** Says what the track is, and on how many links it will be. */
function Placing({ of: { trackId, title, family }, added, draft, onClose }: PlacingProps) {
  const isTried = useSignal(false);
  const add = async (hiddenFromLinks: boolean) => {
    isTried.value = true;
    const place = placeOf(draft.peek());
    if (!place) return;
    const body = { with: trackId, ...place, ...(hiddenFromLinks && { hiddenFromLinks }) };
    await putInSet(added.id, body, `${added.title} is in the set of ${title}`);
    onClose();
  };
  const isShared = family.liveLinks > 0;
  return (
    <DialogForm
      verb="Add"
      onClose={onClose}
      send={() => add(false)}
      also={isShared ? { verb: "Add and keep off the links", send: () => add(true) } : undefined}
    >
      {() => (
        <>
          <p>
            <b>{added.title}</b>
          </p>
          <PlaceFields draft={draft} isTried={isTried.value} />
          {isShared && <p role="status">{linksWords(family.liveLinks)}</p>}
        </>
      )}
    </DialogForm>
  );
}
