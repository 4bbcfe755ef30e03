/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { these } from "../../actions/bulk.ts";
import { openTag } from "../../actions/tag.tsx";
import { openPicker } from "../../playlists/open.tsx";
import { setSearch } from "../../router.ts";
import { announce } from "../../ui/announce.ts";
import { type Runs, useActions } from "../../ui/keys.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { undoLast } from "../../ui/toast.tsx";
import { Submission } from "./article.tsx";
import { Done } from "./done.tsx";
import { decide, type Item, nameOf, type State, undoDecision, type Writing } from "./items.ts";
import { Submissions } from "./list.tsx";
import { advances, listen, playsOnOpen } from "./listen.ts";
import { useThanks } from "./thanks.ts";
import { Tools } from "./tools.tsx";
import { type Inbox, useInbox } from "./use-inbox.ts";
import "./inbox.css";

/** The submissions to the open briefs in one column, with the open submission beside it. */
export default function InboxScreen() {
  const inbox = useInbox();
  const { shown, counts, error } = inbox;
  return (
    <Screen heading="Inbox" {...(counts && { note: `${counts.new} to decide` })}>
      <Problem error={error} onRetry={inbox.retry} />
      <Tools {...inbox} items={shown ?? []} />
      {inbox.isDone && <Done counts={counts} />}
      {shown?.length === 0 && !inbox.isDone && <p class="soft">No submissions match.</p>}
      {shown && shown.length > 0 && <Columns inbox={inbox} items={shown} />}
    </Screen>
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
