/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { can } from "../../api/library.ts";
import { clock as timeOf } from "../../player/time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ItemAttributes } from "../../ui/long-list.tsx";
import type { Clock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { labelOf } from "./names.ts";
import { mayAnswer, mayDelete, placeNote, removeNote, sendReply, setAnswered } from "./note-changes.ts";
import { beginOf, endOf, isGone, isOpen, nameOf, spanWords } from "./note-words.ts";
import type { Comment, Version } from "./queries.ts";
import { Replies, ReplyLine } from "./replies.tsx";

type ItemProps = {
  attributes: ItemAttributes;
  note: Comment;
  versions: readonly Version[];
  /** The version that is heard, in which the note has its place. */
  heard: Version | undefined;
  /** The player counts the seconds of another version. */
  isElsewhere?: boolean;
  clock: Clock;
  draft: Draft;
  /** The note that is being replied to. */
  replying: Signal<string | undefined>;
};

/** A note with its replies, and what can be done about it. */
export function NoteItem(props: ItemProps) {
  const { attributes, note, heard, draft, replying } = props;
  const item = useRef<HTMLLIElement>(null);
  useSignalEffect(() => {
    if (draft.opened.value !== note.id) return;
    item.current?.scrollIntoView({ block: "nearest" });
    item.current?.focus({ preventScroll: true });
    draft.opened.value = undefined;
  });
  const isReplying = replying.value === note.id;
  return (
    <li
      ref={item}
      {...attributes}
      class={isOpen(note) ? "comment" : "comment is-answered"}
      aria-label={nameOf(note)}
      tabIndex={-1}
    >
      <Where {...props} />
      <div class="comment-body">
        <ByLine {...props} />
        {note.deletedAt === null ? (
          <p class="comment-text">{note.text}</p>
        ) : (
          <p class="comment-text soft">Deleted</p>
        )}
        <PlaceWords note={note} heard={heard} />
        <Replies note={note} />
        {isReplying && (
          <ReplyLine
            note={note}
            send={(text) => sendReply(note, text)}
            onOpen={(isOpen) => {
              replying.value = isOpen ? note.id : undefined;
            }}
          />
        )}
        {note.deletedAt === null && !isReplying && <Tools {...props} />}
      </div>
      {mayDelete(note) && (
        <IconButton
          label={`Delete comment by ${note.author.name}`}
          icon="trash"
          run={() => removeNote(note)}
        />
      )}
    </li>
  );
}

/** Where the note is, and the way there. */
function Where({ note, clock }: ItemProps) {
  const begin = beginOf(note);
  if (begin === null) return <span class="comment-at soft">all</span>;
  if (isGone(note)) return <span class="comment-at soft">–</span>;
  const end = endOf(note);
  return (
    <span class="comment-where">
      <button
        type="button"
        class="comment-at"
        aria-label={`Go to ${timeOf(begin)}`}
        onClick={() => clock.moveTo(begin)}
      >
        {timeOf(begin)}
      </button>
      {end !== null && <span class="comment-end">–{timeOf(end)}</span>}
    </span>
  );
}

/** Who said it, of which version, when, and who answered it. */
export function ByLine({ note, versions }: Pick<ItemProps, "note" | "versions">) {
  const { author, versionId, versionLabel, createdAt, answeredAt, answeredBy, answeredIn } = note;
  const isOfSeveral = versions.some(({ id }) => id !== versionId);
  const answering = versions.find(({ id }) => id === answeredIn);
  const answer = [
    "Answered",
    answeredBy?.name && `by ${answeredBy.name}`,
    answering && `in ${labelOf(answering)}`,
  ];
  return (
    <p class="comment-by">
      <b>{author.name}</b>
      {isOfSeveral && versionLabel && <span class="comment-version">{versionLabel}</span>}
      <time class="soft" dateTime={createdAt} title={wholeTime(createdAt)}>
        {ago(createdAt)}
      </time>
      {answeredAt !== null && (
        <span class="comment-answer" title={wholeTime(answeredAt)}>
          <Icon name="check" />
          {answer.filter(Boolean).join(" ")}, {ago(answeredAt)}
        </span>
      )}
    </p>
  );
}

/** Says that the place of a note in the version that is heard is not certain, or that there is none. */
export function PlaceWords({ note, heard }: Pick<ItemProps, "note" | "heard">) {
  if (isGone(note) && heard) return <p class="comment-place">Not in {labelOf(heard)}: this part was cut</p>;
  const begin = beginOf(note);
  if (note.place?.how !== "about" || begin === null) return null;
  return <p class="comment-place">About {spanWords(begin, endOf(note))}</p>;
}

function Tools({ note, heard, isElsewhere = false, clock, replying }: ItemProps) {
  const isOurs = mayAnswer(note);
  return (
    <div class="comment-tools">
      {can("create:comments") && (
        <Button
          look="quiet small"
          run={() => {
            replying.value = note.id;
          }}
        >
          Reply
        </Button>
      )}
      {isOurs && heard && (
        <Button look="quiet small" run={() => setAnswered(note, isOpen(note), heard.id)}>
          {isOpen(note) ? "Mark answered" : "Reopen"}
        </Button>
      )}
      {heard && mayPlace(note) && (
        <PlaceButton
          note={note}
          heard={heard}
          isElsewhere={isElsewhere}
          secNow={() => clock.positionSec.peek()}
        />
      )}
    </div>
  );
}

/** True for a note that the person may place: one that was heard in another version. */
export const mayPlace = (note: Comment): boolean =>
  mayAnswer(note) && note.place !== undefined && note.place.how !== "heard";

type PlaceProps = { note: Comment; heard: Version; isElsewhere: boolean; secNow: () => number };

/** Places a note where the player is. */
export function PlaceButton({ note, heard, isElsewhere, secNow }: PlaceProps) {
  const label = labelOf(heard);
  return (
    <Button
      look="quiet small"
      title={isElsewhere ? `First play ${label} to where it belongs` : `Where the player is, in ${label}`}
      aria-disabled={isElsewhere}
      run={() => (isElsewhere ? undefined : placeNote(note, heard.id, secNow()))}
    >
      Place it here
    </Button>
  );
}
