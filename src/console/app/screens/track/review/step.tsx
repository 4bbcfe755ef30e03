/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { can } from "../../../api/library.ts";
import { setSearch } from "../../../router.ts";
import { type ActionId, tooltip } from "../../../ui/actions.ts";
import { announce } from "../../../ui/announce.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { useActions } from "../../../ui/keys.ts";
import { useSwipe } from "../../../ui/use-swipe.ts";
import { mayAnswer, sendReply, setAnswered } from "../note-changes.ts";
import { ByLine, mayPlace, PlaceButton, PlaceWords } from "../note-item.tsx";
import { isOpen, nameOf } from "../note-words.ts";
import type { Comment } from "../queries.ts";
import { Replies, ReplyLine } from "../replies.tsx";
import type { Desk } from "./desk.ts";
import type { Duo } from "./duo.ts";
import { timeWords } from "./notes.ts";
import { AllAnswered } from "./overview.tsx";
import { type Step, useDuo, useStep, useStepSound } from "./step-sound.ts";
import { Sound, Waves } from "./step-wave.tsx";

type StepProps = { desk: Desk; notes: readonly Comment[]; note: Comment; onLeave: () => void };
/** What is written under the note: a reply, or one that says that it is still open. */
type Writing = Signal<"reply" | "open" | undefined>;

/** One note at a time, with the passage that it is about in the old and in the new version. */
export function StepThrough({ desk, notes, note, onLeave }: StepProps) {
  const region = useRef<HTMLElement>(null);
  const writing: Writing = useSignal(undefined);
  const step = useStep(desk.round.versionId);
  const duo = useDuo(desk, note, step);
  const at = notes.findIndex(({ id }) => id === note.id);
  const name = `Note ${at + 1} of ${notes.length}`;
  useEffect(() => {
    region.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    writing.value = undefined;
    region.current?.scrollIntoView({ block: "start" });
  }, [note.id, writing]);
  const write = (what: "reply" | "open") => () => {
    writing.value = what;
  };
  const runs = runsOf(desk, note, write("open"));
  const send = (reopens: boolean) => async (text: string) => {
    await sendReply(note, text);
    if (reopens && !isOpen(note)) await setAnswered(note, false, desk.round.versionId);
  };
  const go = (by: 1 | -1) => {
    const others = by === 1 ? notes.slice(at + 1) : notes.slice(0, at).toReversed();
    const next = others.find(isOpen);
    if (!next) {
      announce(by === 1 ? "No open note comes after this one" : "No open note comes before this one");
      return;
    }
    step.isToPlay.value = true;
    setSearch({ step: next.id });
    announce(`Note ${notes.indexOf(next) + 1} of ${notes.length}: ${nameOf(next)}, ${next.text}`);
  };
  useSwipe(region, go);
  useActions({
    stepThrough: onLeave,
    close: onLeave,
    nextNote: () => go(1),
    previousNote: () => go(-1),
    reply: can("create:comments") ? write("reply") : undefined,
    ...runs,
  });
  return (
    <section ref={region} class="step" aria-label={name} tabIndex={-1}>
      <header class="step-head">
        <h3>{name}</h3>
        <span class="step-time">{timeWords(note)}</span>
        <IconButton
          label="Back to the list"
          icon="close"
          title={tooltip("stepThrough", "Back to the list")}
          run={onLeave}
        />
      </header>
      <ByLine note={note} versions={desk.versions} />
      <p class="step-text">{note.text}</p>
      <PlaceWords note={note} heard={desk.version} />
      <Replies key={note.id} note={note} />
      {writing.value ? (
        <ReplyLine
          key={note.id}
          note={note}
          send={send(writing.value === "open")}
          onOpen={(isOpened) => {
            writing.value = isOpened ? "reply" : undefined;
            if (!isOpened) region.current?.focus({ preventScroll: true });
          }}
        />
      ) : (
        can("create:comments") && (
          <div class="comment-tools">
            <Button look="quiet small" title={tooltip("reply")} run={write("reply")}>
              Reply
            </Button>
          </div>
        )
      )}
      {duo ? (
        <Passage desk={desk} note={note} duo={duo} step={step} />
      ) : (
        <p class="soft">There is nothing to hear: the version of this note was deleted.</p>
      )}
      <Decisions runs={runs} onGo={go} />
      <AllAnswered desk={desk} />
    </section>
  );
}

function Passage({ desk, note, duo, step }: { desk: Desk; note: Comment; duo: Duo; step: Step }) {
  const ab = useStepSound(duo, note, step);
  const labels = { old: duo.oldLabel, new: desk.round.label };
  return (
    <>
      <Waves duo={duo} ab={ab} labels={labels} side={step.side.value} />
      <Sound duo={duo} ab={ab} labels={labels} side={step.side}>
        {mayPlace(note) && (
          <PlaceButton
            note={note}
            heard={desk.version}
            isElsewhere={!duo.hasNew && desk.heardId.value !== desk.version.id}
            secNow={() =>
              duo.hasNew ? ab.positionSec.peek() + duo.offsetSec : desk.clock.positionSec.peek()
            }
          />
        )}
      </Sound>
    </>
  );
}

/** What can be said of the note that shows. */
function runsOf(desk: Desk, note: Comment, onStillOpen: () => void) {
  const isOurs = mayAnswer(note);
  return {
    markAnswered: isOurs && isOpen(note) ? () => setAnswered(note, true, desk.round.versionId) : undefined,
    reopen: isOurs && !isOpen(note) ? () => setAnswered(note, false, desk.round.versionId) : undefined,
    stillOpen: can("create:comments") && (isOpen(note) || isOurs) ? onStillOpen : undefined,
  };
}

const WORDS = [
  ["markAnswered", "Mark answered", ""],
  ["reopen", "Reopen", "secondary"],
  ["stillOpen", "Still open", "secondary"],
] as const satisfies readonly (readonly [ActionId, string, string])[];

type DecisionsProps = { runs: ReturnType<typeof runsOf>; onGo: (by: 1 | -1) => void };

function Decisions({ runs, onGo }: DecisionsProps) {
  return (
    <div class="step-decisions">
      <IconButton label="Previous open note" icon="up" title={tooltip("previousNote")} run={() => onGo(-1)} />
      <IconButton label="Next open note" icon="down" title={tooltip("nextNote")} run={() => onGo(1)} />
      {WORDS.map(([id, name, look]) => {
        const run = runs[id];
        return (
          run && (
            <Button key={id} look={look} title={tooltip(id)} run={run}>
              {name}
            </Button>
          )
        );
      })}
    </div>
  );
}
