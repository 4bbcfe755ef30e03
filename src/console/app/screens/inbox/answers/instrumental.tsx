/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { trackTitle } from "../../../../shared/names.ts";
import { type FoundTrack, TrackFinder } from "../../../actions/track-finder.tsx";
import { api, dataOf } from "../../../api/client.ts";
import { readJson } from "../../../api/queries.ts";
import type { Data } from "../../../api/routes.ts";
import { type Answer, whoOf } from "../../../share/answers.ts";
import { openShare } from "../../../share/open.tsx";
import { Dialog, showDialog } from "../../../ui/dialog.tsx";

type Row = Data<"GET /app/tracks">[number];

const MAX_OPTIONS = 20;
const INSTRUMENTAL = /\b(instrumental|inst|instr)\b/i;

/**
 * Makes a link to the instrumental of a track for whoever answered: opens the share dialog with that of its set, or where the library has
 * exactly one of that name, and asks for the track elsewhere.
 */
export async function shareInstrumental(answer: Answer): Promise<void> {
  const { members } = await dataOf(
    api.GET("/app/tracks/{trackId}/family", { params: { path: { trackId: answer.trackId } } }),
  );
  const kept = members.find(({ kind, editSec }) => kind === "instrumental" && editSec === null);
  if (kept) return share(answer, { id: kept.trackId, title: kept.title });
  const asked = new URLSearchParams({ q: answer.title, limit: String(MAX_OPTIONS) });
  const { data } = await readJson(`/app/tracks?${asked}`);
  const [only, ...others] = data.filter(
    (row) => row.id !== answer.trackId && INSTRUMENTAL.test(titleOf(row)),
  );
  if (only && others.length === 0) await share(answer, { id: only.id, title: titleOf(only) });
  else showDialog((close) => <InstrumentalDialog answer={answer} onClose={close} />);
}

const titleOf = ({ title, name }: Pick<Row, "title" | "name">): string =>
  trackTitle({ title: title === name ? null : title, name });

const share = ({ recipient }: Answer, { id, title }: FoundTrack) =>
  openShare([{ entity: "track", id, title }], {
    people: recipient === null ? [] : [recipient],
  });

function InstrumentalDialog({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const typed = useSignal(answer.title);
  return (
    <Dialog label="Instrumental link" kind="add-tracks" onClose={onClose}>
      <p class="soft">
        Which track is the instrumental of {answer.title}? The link is made for {whoOf(answer)}.
      </p>
      <TrackFinder
        typed={typed}
        nothing="No tracks match. Upload the instrumental first: it is a track of its own."
        isLeftOut={(id) => id === answer.trackId}
        onChoose={(found) => {
          onClose();
          void share(answer, found);
        }}
      />
    </Dialog>
  );
}
