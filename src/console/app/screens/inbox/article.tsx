/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_NOTE } from "../../../../modules/briefs/inbox/shapes.ts";
import { these } from "../../actions/bulk.ts";
import { openTag } from "../../actions/tag.tsx";
import { can } from "../../api/library.ts";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { openPicker } from "../../playlists/open.tsx";
import { type ActionId, tooltip } from "../../ui/actions.ts";
import { Button } from "../../ui/button.tsx";
import { when, wholeTime } from "../../ui/dates.ts";
import { draftOf } from "../../ui/draft.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Match } from "../../ui/match.tsx";
import { percent, tenths } from "../../ui/numbers.ts";
import { Comments } from "./comments.tsx";
import type { Fit } from "./fit.ts";
import {
  decide,
  type Item,
  nameOf,
  STATE_WORDS,
  type State,
  senderOf,
  type Writing,
  write,
} from "./items.ts";
import { isHeard, listenOrPause } from "./listen.ts";
import { openSentences } from "./sentences.tsx";
import { useThanks } from "./thanks.ts";

type Props = {
  item: Item;
  fit: Fit | undefined;
  writing: Signal<Writing | undefined>;
  onClose: () => void;
};

/** One submission: what it is, who sent it, how well it fits, and what to do with it. */
export function Submission({ item, fit, writing, onClose }: Props) {
  const { track } = item;
  return (
    <article class="inbox-item" aria-label={nameOf(item)}>
      <Button look="quiet small inbox-back" icon="left" run={onClose}>
        All submissions
      </Button>
      <header class="inbox-item-head">
        {track && (
          <button
            type="button"
            class="play-button"
            aria-label={`${isHeard(item) ? "Pause" : "Play"} ${track.title}`}
            onClick={() => listenOrPause(item)}
          >
            <Icon name={isHeard(item) ? "pause" : "play"} />
          </button>
        )}
        <div>
          <h2>{nameOf(item)}</h2>
          <p class="soft">{track?.artist ?? senderOf(item)}</p>
        </div>
        <span class={`mark state-${item.state}`}>{STATE_WORDS[item.state]}</span>
      </header>
      <Decisions item={item} onNote={() => (writing.value = "note")} />
      <Note item={item} writing={writing} />
      <Sender item={item} />
      {item.link !== null && (
        <p>
          <a href={item.link} target="_blank" rel="noreferrer noopener">
            {item.link}
          </a>
        </p>
      )}
      {item.message !== null && <blockquote class="inbox-message">{item.message}</blockquote>}
      {track && <Facts track={track} />}
      {track && <HowItFits fit={fit} track={track} briefName={item.briefName} />}
      {track?.isOwn && <Comments trackId={track.id} writing={writing} />}
      <More item={item} onComment={() => (writing.value = "comment")} />
    </article>
  );
}

const DECISIONS: readonly { name: string; state: State; action: ActionId }[] = [
  { name: "Shortlist", state: "shortlisted", action: "shortlist" },
  { name: "Pass", state: "passed", action: "pass" },
  { name: "Keep", state: "kept", action: "keep" },
  { name: "Back to new", state: "new", action: "backToNew" },
];

const lookOf = (state: State, now: State): string =>
  state === "new" ? "quiet" : state === now ? "" : "secondary";

function Decisions({ item, onNote }: { item: Item; onNote: () => void }) {
  return (
    <div class="buttons" role="toolbar" aria-label="Decide">
      {DECISIONS.map(({ name, state, action }) => (
        <Button
          key={state}
          look={lookOf(state, item.state)}
          {...(state !== "new" && { "aria-pressed": item.state === state })}
          title={tooltip(action)}
          run={() => decide(item, state)}
        >
          {name}
        </Button>
      ))}
      <Button look="quiet" title={tooltip("note")} run={onNote}>
        Add note
      </Button>
    </div>
  );
}

/** What the owner notes for themselves; it stays typed until the server has it. */
function Note({ item, writing }: Pick<Props, "item" | "writing">) {
  const typed = draftOf(`note ${item.id}`);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (writing.value === "note") field.current?.focus();
  }, [writing.value]);
  const isOpen = writing.value === "note" || typed.value !== undefined || item.note !== null;
  if (!isOpen) return null;
  const leave = async () => {
    const sent = typed.peek();
    if (writing.peek() === "note") writing.value = undefined;
    if (sent === undefined) return;
    if (sent.trim() === (item.note ?? "") || (await write(item.id, { note: sent.trim() || null })))
      typed.value = undefined;
  };
  return (
    <TextField
      label="Note"
      hint="Only you see it."
      maxLength={MAX_NOTE}
      inputRef={field}
      value={typed.value ?? item.note ?? ""}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
      }}
      onBlur={() => void leave()}
      onKeyDown={(event) => {
        const isEnd = event.key === "Escape" || (event.key === "Enter" && !event.shiftKey);
        if (!isEnd || event.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        field.current?.blur();
      }}
    />
  );
}

/** A line may end with it, and never begins with it. */
const DOT = "\u00a0· ";

function Sender({ item }: { item: Item }) {
  const thanks = useThanks(item);
  return (
    <p class="inbox-sender">
      <span>
        <strong>{senderOf(item)}</strong>
        {item.senderName !== null && item.senderEmail !== null && `${DOT}${item.senderEmail}`}
        {item.wasAsked && `${DOT}asked by you`}
        <span class="soft" title={wholeTime(item.createdAt)}>
          {DOT}
          {when(item.createdAt)}
          {DOT}
          <a href={href(`/library/briefs/${item.briefId}`)}>{item.briefName}</a>
        </span>
      </span>
      {thanks !== undefined && (
        <span class="buttons">
          <a class="button secondary small" href={thanks} title={tooltip("thank")}>
            Thank {item.senderName ?? "the sender"}
          </a>
          {can("manage:library") && (
            <Button look="quiet small" run={openSentences}>
              Sentences…
            </Button>
          )}
        </span>
      )}
    </p>
  );
}

function Facts({ track }: { track: NonNullable<Item["track"]> }) {
  const { durationSec, bpm, key, integratedLufs, genres, moods, status } = track;
  const facts: [name: string, value: string][] = [
    ["Length", durationSec === null ? "" : clock(durationSec)],
    ["BPM", bpm === null ? "" : String(Math.round(bpm))],
    ["Key", key ?? ""],
    ["Loudness", integratedLufs === null ? "" : `${tenths(integratedLufs)} LUFS`],
    ["Genres", genres.join(", ")],
    ["Moods", moods.join(", ")],
  ];
  const known = facts.filter(([, value]) => value !== "");
  if (known.length === 0)
    return <p class="soft">{status === "failed" ? "It could not be analysed." : "Not analysed yet."}</p>;
  return (
    <dl class="facts-line">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type FitProps = { fit: Fit | undefined; track: NonNullable<Item["track"]>; briefName: string };

function HowItFits({ fit, track, briefName }: FitProps) {
  if (!fit)
    return (
      <p class="soft">
        {track.isOwn
          ? "How well it fits is known once it is analysed."
          : "The track is in its sender's library, so it was not measured here."}
      </p>
    );
  return (
    <section class="inbox-fit" aria-label={`How well it fits ${briefName}`}>
      <h3>How well it fits</h3>
      <div class="inbox-fit-line">
        <Match score={fit.score} />
        <span>
          {percent(fit.score)}, place {fit.place} of {fit.of}
        </span>
      </div>
      {fit.reason.length > 0 && (
        <ul class="inbox-reasons" aria-label={`Why ${track.title}`}>
          {fit.reason.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function More({ item: { track }, onComment }: { item: Item; onComment: () => void }) {
  if (!track?.isOwn) return null;
  const { id } = track;
  return (
    <div class="buttons">
      <Button look="secondary small" title={tooltip("comment")} run={onComment}>
        Comment
      </Button>
      <Button look="secondary small" title={tooltip("tag")} run={() => openTag(these([{ id }]))}>
        Tag…
      </Button>
      <Button look="secondary small" title={tooltip("addToPlaylist")} run={() => openPicker([track])}>
        Add to playlist…
      </Button>
      <a class="button secondary small" href={href(`/library/tracks/${id}`)}>
        Open track
      </a>
    </div>
  );
}
