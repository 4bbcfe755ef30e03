/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { trackTitle } from "../../../../shared/names.ts";
import { query, readJson, useQuery } from "../../../api/queries.ts";
import type { Data } from "../../../api/routes.ts";
import { type Answer, whoOf } from "../../../share/answers.ts";
import { openShare } from "../../../share/open.tsx";
import { Combobox } from "../../../ui/combobox.tsx";
import { Dialog, showDialog } from "../../../ui/dialog.tsx";

type Row = Data<"GET /app/tracks">[number];

const MAX_OPTIONS = 20;
const INSTRUMENTAL = /\b(instrumental|inst|instr)\b/i;

/**
 * Makes a link to the instrumental of a track for whoever answered: opens the share dialog where the library has exactly one of that
 * name, and asks for the track elsewhere.
 */
export async function shareInstrumental(answer: Answer): Promise<void> {
  const asked = new URLSearchParams({ q: answer.title, limit: String(MAX_OPTIONS) });
  const { data } = await readJson(`/app/tracks?${asked}`);
  const [only, ...others] = data.filter(
    (row) => row.id !== answer.trackId && INSTRUMENTAL.test(titleOf(row)),
  );
  if (only && others.length === 0) await share(answer, only);
  else showDialog((close) => <InstrumentalDialog answer={answer} onClose={close} />);
}

const titleOf = ({ title, name }: Pick<Row, "title" | "name">): string =>
  trackTitle({ title: title === name ? null : title, name });

const share = ({ recipient }: Answer, row: Pick<Row, "id" | "title" | "name">) =>
  openShare([{ entity: "track", id: row.id, title: titleOf(row) }], {
    people: recipient === null ? [] : [recipient],
  });

function InstrumentalDialog({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const typed = useSignal(answer.title);
  const q = typed.value.trim();
  const { data } = useQuery(
    query("/app/tracks", { query: { limit: MAX_OPTIONS, ...(q !== "" && { q }) } }, { tracks: "all" }),
  );
  const rows = (data?.data ?? []).filter(({ id }) => id !== answer.trackId);
  return (
    <Dialog label="Instrumental link" kind="add-tracks" onClose={onClose}>
      <p class="soft">
        Which track is the instrumental of {answer.title}? The link is made for {whoOf(answer)}.
      </p>
      <Combobox
        label="Track"
        isInline
        autofocus
        placeholder="Title or artist"
        nothing="No tracks match. Upload the instrumental first: it is a track of its own."
        text={typed}
        options={rows.map((row) => ({ id: row.id, text: titleOf(row), hint: row.artist ?? "", row }))}
        onChoose={({ row }) => {
          onClose();
          void share(answer, row);
        }}
      />
    </Dialog>
  );
}
