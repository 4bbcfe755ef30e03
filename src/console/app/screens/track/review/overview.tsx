/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { can } from "../../../api/library.ts";
import { place, setSearch } from "../../../router.ts";
import { openNotesExport } from "../../../share/notes-export.tsx";
import { openShare } from "../../../share/open.tsx";
import { tooltip } from "../../../ui/actions.ts";
import { Button } from "../../../ui/button.tsx";
import { type ItemAttributes, LongList } from "../../../ui/long-list.tsx";
import { grouped } from "../../../ui/numbers.ts";
import { Segments } from "../../../ui/segments.tsx";
import { answerAll } from "../note-changes.ts";
import { NoteItem } from "../note-item.tsx";
import { isOpen } from "../note-words.ts";
import type { Comment } from "../queries.ts";
import type { AllNotes } from "./all-notes.ts";
import type { Desk } from "./desk.ts";
import { isShown, type Shown, sentenceOf } from "./notes.ts";
import { Verdicts } from "./verdicts.tsx";

type OverviewProps = {
  desk: Desk;
  all: AllNotes;
  onStep: () => void;
};

/** The round at a glance: how far it is, who said what, and its notes. */
export function Overview({ desk, all, onStep }: OverviewProps) {
  const { round } = desk;
  // An open note of a later version is none of this round.
  const ids = all.readRest ? undefined : all.notes.filter(isOpen).map(({ id }) => id);
  const answer = () =>
    answerAll(desk.track.id, { versionId: round.versionId, ...(ids && ids.length > 0 && { ids }) });
  return (
    <>
      <div class="review-line">
        <p role="status">{sentenceOf(round.label, round)}</p>
        {all.count > 0 && (
          <div class="buttons">
            <Button look="small" title={tooltip("stepThrough")} run={onStep}>
              Step through
            </Button>
            {round.open > 0 && can("update:tracks") && can("create:comments") && (
              <Button look="secondary small" run={answer}>
                Mark all answered
              </Button>
            )}
            <Button
              look="quiet small"
              run={() => openNotesExport(desk.track, { ...desk.version, label: round.label })}
            >
              Export notes…
            </Button>
          </div>
        )}
      </div>
      <AllAnswered desk={desk} />
      <Verdicts desk={desk} />
      <List desk={desk} all={all} />
    </>
  );
}

/** When nothing is open any more: what comes next. */
export function AllAnswered({ desk }: { desk: Desk }) {
  const { track, title, round } = desk;
  if (round.open > 0 || round.answered === 0) return null;
  const ask = () => openShare([{ entity: "track", id: track.id, title }], { asksForApproval: true });
  return (
    <p class="review-end">
      {round.answered === 1 ? "The note is answered." : `All ${grouped(round.answered)} notes answered.`}{" "}
      {can("create:shares") && (
        <Button look="secondary small" run={ask}>
          Ask for approval
        </Button>
      )}
    </p>
  );
}

const FILTERS: readonly { value: Shown; name: string }[] = [
  { value: "open", name: "Open" },
  { value: "answered", name: "Answered" },
  { value: "new", name: "New" },
  { value: "all", name: "All" },
];

const NOTHING: Readonly<Record<Shown, string>> = {
  open: "No note is open.",
  answered: "No note is answered yet.",
  new: "Nobody has made a note on this version.",
  all: "There are no notes yet. Press C to write one where the music is.",
};

function List({ desk, all }: Omit<OverviewProps, "onStep">) {
  const { round } = desk;
  const wanted = place.value.search.get("show");
  const shown = FILTERS.find(({ value }) => value === wanted)?.value ?? (round.open > 0 ? "open" : "all");
  const notes = all.notes.filter((note) => isShown(note, shown, round));
  if (all.count === 0) return <p class="soft">{NOTHING.all}</p>;
  return (
    <>
      <Segments label="Show" options={FILTERS} current={shown} onChange={(show) => setSearch({ show })} />
      {notes.length === 0 ? <p class="soft">{NOTHING[shown]}</p> : <Notes desk={desk} notes={notes} />}
      {all.readRest && (
        <p class="soft">
          These are the first {grouped(all.notes.length)} of {grouped(all.count)} notes.{" "}
          <Button look="secondary small" run={all.readRest}>
            Show all {grouped(all.count)}
          </Button>
        </p>
      )}
    </>
  );
}

/** So many notes or fewer are a part of the page; more scroll by themselves. */
const MOST_OF_PAGE = 60;

function Notes({ desk, notes }: { desk: Desk; notes: readonly Comment[] }) {
  const { versions, version, clock, draft, heardId } = desk;
  /** The note that is being replied to. */
  const replying = useSignal<string | undefined>(undefined);
  const isElsewhere = heardId.value !== version.id;
  const draw = useCallback(
    (note: Comment, attributes: ItemAttributes) => (
      <NoteItem
        key={note.id}
        attributes={attributes}
        note={note}
        versions={versions}
        heard={version}
        isElsewhere={isElsewhere}
        clock={clock}
        draft={draft}
        replying={replying}
      />
    ),
    [versions, version, isElsewhere, clock, draft, replying],
  );
  if (notes.length > MOST_OF_PAGE)
    return (
      <LongList
        label="Notes"
        class="notes-long"
        items={notes}
        keyOf={idOf}
        draw={draw}
        wanted={draft.opened}
      />
    );
  return (
    <ul aria-label="Notes">
      {notes.map((note, at) =>
        draw(note, { "data-key": note.id, "aria-setsize": notes.length, "aria-posinset": at + 1 }),
      )}
    </ul>
  );
}

const idOf = ({ id }: Comment) => id;
