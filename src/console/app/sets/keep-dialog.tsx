/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { begin } from "../actions/bulk.ts";
import { api, dataOf } from "../api/client.ts";
import type { Data } from "../api/routes.ts";
import { showDialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast, toastError } from "../ui/toast.tsx";
import { draftOf, type PlaceDraft, PlaceFields, placeOf } from "./place-fields.tsx";
import "./sets.css";

type Named = Data<"POST /app/families/kinds">[number];
type Line = Named & { draft: Signal<PlaceDraft> };

/** Asks what each of some tracks is of one song, and keeps them together as its set. */
export async function openKeep(tracks: readonly { id: string }[]): Promise<void> {
  if (tracks.length < 2) {
    toast("Select two tracks or more: a set is a song with what was made from it.");
    return;
  }
  try {
    const named = await dataOf(
      api.POST("/app/families/kinds", { body: { trackIds: tracks.map(({ id }) => id) } }),
    );
    showDialog((close) => <KeepDialog named={named} onClose={close} />);
  } catch (thrown) {
    toastError(thrown);
  }
}

function KeepDialog({ named, onClose }: { named: readonly Named[]; onClose: () => void }) {
  const lines = useMemo(() => linesOf(named), [named]);
  const isTried = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const send = async () => {
    isTried.value = true;
    const main = lines.filter(({ draft: { value } }) => value.kind === "main" && value.editSec.trim() === "");
    problem.value =
      main.length === 1 ? undefined : "Choose one main mix: one track of kind Main mix, as a whole song.";
    const places = lines.map(({ trackId, draft }) => [trackId, placeOf(draft.peek())] as const);
    const [first] = main;
    if (problem.peek() !== undefined || !first || places.some(([, place]) => !place)) return false;
    const kinds = Object.fromEntries(places.flatMap(([id, place]) => (place ? [[id, place]] : [])));
    const target = { where: { ids: lines.map(({ trackId }) => trackId) }, count: lines.length };
    await begin(
      target,
      { keepTogether: { mainTrackId: first.trackId, kinds } },
      { after: () => `Kept together: ${lines.length} tracks of ${first.title}` },
    );
    return true;
  };
  return (
    <FormDialog
      label={`Keep ${named.length} tracks together`}
      verb="Keep together"
      kind="set-keep"
      onClose={onClose}
      send={send}
    >
      {() => (
        <>
          <p class="soft">They stay tracks of their own, with their versions, links and plays.</p>
          <ul class="set-lines">
            {lines.map(({ trackId, title, draft }) => (
              <li key={trackId}>
                <span class="set-line-title">{title}</span>
                <PlaceFields draft={draft} of={title} isTried={isTried.value} />
              </li>
            ))}
          </ul>
          {problem.value !== undefined && <p role="alert">{problem.value}</p>}
        </>
      )}
    </FormDialog>
  );
}

/** Of several whole songs without another kind, the first is the main mix. */
function linesOf(named: readonly Named[]): Line[] {
  const isMain = ({ kind, editSec }: Named) => kind === "main" && editSec === null;
  const main = named.find(isMain);
  return named.map((each) => ({
    ...each,
    draft: signal(draftOf(isMain(each) && each !== main ? { ...each, kind: "other" } : each)),
  }));
}
