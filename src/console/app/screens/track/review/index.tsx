/** @jsxRuntime automatic @jsxImportSource preact */
import "./review.css";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { useQuery } from "../../../api/queries.ts";
import { place, setSearch } from "../../../router.ts";
import { SelectField } from "../../../ui/field.tsx";
import { useActions } from "../../../ui/keys.ts";
import { Problem } from "../../../ui/problem.tsx";
import { undoLast } from "../../../ui/toast.tsx";
import type { Clock } from "../clock.ts";
import type { Draft } from "../draft.ts";
import { labelOf } from "../names.ts";
import { undos } from "../note-changes.ts";
import { isOpen } from "../note-words.ts";
import { type Comment, roundQuery, type SheetProps, type Version } from "../queries.ts";
import { useAllNotes } from "./all-notes.ts";
import { useDesk } from "./desk.ts";
import { Overview } from "./overview.tsx";
import { StepThrough } from "./step.tsx";

type ReviewProps = SheetProps & { clock: Clock; draft: Draft };

/** The round of a version: the notes that it inherited and those made on it, as a list or one by one. */
export default function Review(props: ReviewProps) {
  const { track, versions } = props;
  const active = versions.find((version) => version.active);
  const wanted = versions.find(({ id }) => id === place.value.search.get("round")) ?? active;
  const { data, error, refetch } = useQuery(wanted ? roundQuery(track.id, wanted.id) : null);
  const round = data?.data;
  const desk = useDesk({ ...props, active }, round);
  const all = useAllNotes(track.id, versions, round);
  const wantedNote = place.value.search.get("step");
  const note = noteOf(all.notes, wantedNote);
  const step = () => setSearch({ step: OPEN });
  // At once: the next key may already go on to another.
  useLayoutEffect(() => {
    // It stays when it is answered, and no longer the first that is open.
    if (note && note.id !== wantedNote) setSearch({ step: note.id });
  }, [note?.id, wantedNote]);
  useEffect(() => {
    if (note) all.readRest?.();
  }, [note === undefined, all.readRest === undefined]);
  useActions({
    stepThrough: all.count > 0 ? step : undefined,
    undo: () => undos.undoNewest() || undoLast(),
  });
  if (error && !data) return <Problem error={error} onRetry={refetch} />;
  if (!desk || !wanted) return null;
  return (
    <div class="review">
      <header class="review-head">
        <h2>Round {desk.round.label}</h2>
        {versions.length > 1 && <Rounds versions={versions} current={wanted} active={active} />}
      </header>
      {note ? (
        <StepThrough
          desk={desk}
          notes={all.notes}
          note={note}
          onLeave={() => {
            setSearch({ step: undefined });
            props.draft.open(note.id);
          }}
        />
      ) : (
        <Overview desk={desk} all={all} onStep={step} />
      )}
    </div>
  );
}

/** In the address, for the first note that is open. */
const OPEN = "open";

/** The note that is looked at alone; undefined: none is. */
function noteOf(notes: readonly Comment[], step: string | null): Comment | undefined {
  if (step === null) return undefined;
  return notes.find(({ id }) => id === step) ?? notes.find(isOpen) ?? notes[0];
}

type RoundsProps = { versions: readonly Version[]; current: Version; active: Version | undefined };

function Rounds({ versions, current, active }: RoundsProps) {
  return (
    <SelectField
      label="Round"
      isLabelHidden
      value={current.id}
      options={versions.map((version) => ({ value: version.id, name: labelOf(version) }))}
      onChange={(id) => setSearch({ round: id === active?.id ? undefined : id, step: undefined })}
    />
  );
}
