/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { these } from "../../actions/bulk.ts";
import { openTag } from "../../actions/tag.tsx";
import { can } from "../../api/library.ts";
import { openPicker } from "../../playlists/open.tsx";
import { place, setSearch } from "../../router.ts";
import { useOpenAnswers } from "../../share/answers.ts";
import { announce } from "../../ui/announce.ts";
import { type Runs, useActions } from "../../ui/keys.ts";
import { later } from "../../ui/later.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { undoLast } from "../../ui/toast.tsx";
import { Submission } from "./article.tsx";
import { Done } from "./done.tsx";
import { decide, type Item, nameOf, type State, undoDecision, type Writing } from "./items.ts";
import { Submissions } from "./list.tsx";
import { advances, listen, playsOnOpen } from "./listen.ts";
import { useThanks } from "./thanks.ts";
import { Tools } from "./tools.tsx";
import { type Inbox, useCounts, useInbox } from "./use-inbox.ts";
import "./inbox.css";

const Answers = later(() => import("./answers/index.tsx").then(({ Answers }) => Answers));

/** What others sent in: music for the open briefs, and answers to links. */
export default function InboxScreen() {
  const { search } = place.value;
  const kind = search.get("show") === "answers" ? "answers" : "submissions";
  const counts = useCounts(search.get("brief") ?? "");
  return (
    <Screen
      heading="Inbox"
      {...(counts && kind === "submissions" && { note: `${counts.new} to decide` })}
      tools={<Kinds kind={kind} />}
    >
      {kind === "answers" ? <Answers /> : <SubmissionsPart />}
    </Screen>
  );
}

type Kind = "submissions" | "answers";

/** What the Inbox shows. Whoever sees no links sees no answers to them. */
function Kinds({ kind }: { kind: Kind }) {
  const count = useOpenAnswers();
  if (!can("read:shares")) return null;
  return (
    <Segments<Kind>
      label="What came in"
      options={[
        { value: "submissions", name: "Submissions" },
        { value: "answers", name: "Answers", count },
      ]}
      current={kind}
      onChange={(show) => setSearch({ show: show === "answers" ? show : undefined, id: undefined })}
    />
  );
}

/** The submissions in one column, with the open submission beside it. */
function SubmissionsPart() {
  const inbox = useInbox();
  const { shown, counts, error } = inbox;
  return (
    <>
      <Problem error={error} onRetry={inbox.retry} />
      <Tools {...inbox} items={shown ?? []} />
      {inbox.isDone && <Done counts={counts} />}
      {shown?.length === 0 && !inbox.isDone && <p class="soft">No submissions match.</p>}
      {shown && shown.length > 0 && <Columns inbox={inbox} items={shown} />}
    </>
  );
}

function Columns({ inbox, items }: { inbox: Inbox; items: readonly Item[] }) {
  const { open, fits, isChosen } = inbox;
  const writing = useSignal<Writing | undefined>(undefined);
  const thanks = useThanks(open);
  useEffect(() => {
    writing.value = undefined;
  }, [open?.id, writing]);
  const step = (by: 1 | -1) => {
    const next = items[items.findIndex(({ id }) => id === open?.id) + by];
    if (next) show(next);
  };
  useActions({
    nextRow: () => step(1),
    previousRow: () => step(-1),
    undo: () => undoDecision() || undoLast(),
    ...(open && runsOf(open, writing, () => step(1))),
    ...(thanks !== undefined && { thank: () => window.location.assign(thanks) }),
  });
  return (
    <div class={isChosen ? "inbox inbox-open" : "inbox"}>
      <Submissions items={items} openId={open?.id} fits={inbox.listFits} onOpen={show} />
      {open && (
        <Submission
          key={open.id}
          item={open}
          fit={open.track ? fits.get(open.track.id) : undefined}
          writing={writing}
          onClose={() => setSearch({ id: undefined })}
        />
      )}
    </div>
  );
}

/** What keys do with the submission that is open. */
function runsOf(item: Item, writing: Signal<Writing | undefined>, next: () => void): Runs {
  const { track } = item;
  const deciding = (state: State) => () => {
    decide(item, state);
    if (advances.value && state !== "new") next();
  };
  return {
    shortlist: deciding("shortlisted"),
    pass: deciding("passed"),
    keep: deciding("kept"),
    backToNew: deciding("new"),
    note: () => {
      writing.value = "note";
    },
    ...(track?.isOwn && {
      comment: () => {
        writing.value = "comment";
      },
      tag: () => openTag(these([{ id: track.id }])),
      addToPlaylist: () => void openPicker([track]),
    }),
  };
}

function show(item: Item): void {
  setSearch({ id: item.id });
  announce(nameOf(item));
  if (playsOnOpen.value) void listen(item);
}
