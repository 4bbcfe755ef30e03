/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * The script of the document for times without a connection: what the device keeps, and the player. The document stays while the connection comes
 * and goes, so that the music does. It loads no part of itself later: a newer worker may have dropped it.
 */
import "../styles/console.css";
import { computed, signal } from "@preact/signals";
import { render } from "preact";
import { CoverShapes } from "../../../pages/cover.tsx";
import { ApiError } from "../api/errors.ts";
import { PlayerBar } from "../player/bar.tsx";
import { addToQueue, audio, playNext } from "../player/player.ts";
import { withTitles } from "../player/queue.ts";
import { drawKept, playKept } from "../player/sound.ts";
import { startPlayer } from "../player/start.ts";
import { elapsedSec, queue } from "../player/state.ts";
import { announce, message } from "../ui/announce.ts";
import { Button } from "../ui/button.tsx";
import { Dialogs, showDialog } from "../ui/dialog.tsx";
import { startKeys } from "../ui/keys.ts";
import { type MenuItem, OpenMenu } from "../ui/menu.tsx";
import { Toasts } from "../ui/toast.tsx";
import { CommentDialog } from "./comment-dialog.tsx";
import { contact, deliver, watchContact } from "./contact.ts";
import { soundOfRow } from "./kept-files.ts";
import { isLeaseOver, latestMoment, momentAfter } from "./lease.ts";
import { noteListens } from "./listens.ts";
import { openLibrary } from "./open-library.ts";
import { commentOf, putOutbox } from "./outbox.ts";
import { outlineIn } from "./outlines.ts";
import { readRoom } from "./room.ts";
import { KeptLists, KeptTracks, playRows, toPlayerTrack } from "./rows.tsx";
import { SharedWaiting } from "./shared-waiting.tsx";
import {
  comments,
  device,
  lists,
  others,
  readComments,
  readShelf,
  rowOf,
  tracks,
  tracksOf,
} from "./shelf.ts";
import { change, type TrackRow } from "./store.ts";
import { WaitingComments } from "./waiting.tsx";
import { amountText, leaseText } from "./words.ts";

const LOOK_EVERY_MS = 60_000;

const chosenId = signal<string | undefined>(undefined);
const isOver = signal(false);
const roomBytes = signal<number | undefined>(undefined);
const shown = computed(() => {
  const list = lists.value.find(({ id }) => id === chosenId.value);
  return list ? tracksOf(list) : tracks.value;
});

/** What plays comes from here alone, while the lease lasts. */
playKept(async (trackId) => {
  lookAtLease();
  const own = device.peek();
  if (own && isOver.peek()) throw new ApiError(0, "lease_over", leaseText(own));
  const row = rowOf(trackId);
  const sound = row && (await soundOfRow(row));
  if (!sound) throw new ApiError(0, "not_kept", `${row?.title ?? "This track"} is not kept on this device`);
  return sound;
});

drawKept(async (versionId) => {
  const own = device.peek();
  return own && outlineIn(own, versionId);
});

function lookAtLease(): void {
  const own = device.peek();
  isOver.value = own !== undefined && isLeaseOver(own);
  if (isOver.peek()) audio.pause();
}

/** Notes how late it is by now, so that a clock that is set back later brings nothing. */
async function passTime(ms: number): Promise<void> {
  const own = device.peek();
  if (!own) return;
  const latestAt = momentAfter(own, ms);
  device.value = { ...own, latestAt };
  lookAtLease();
  await change(["devices"], (store) => {
    const kept = store("devices").get(own.key);
    kept.onsuccess = () => {
      // It may have been brought up to date, or deleted, in another tab.
      if (kept.result?.syncedAt === own.syncedAt) store("devices").put({ ...kept.result, latestAt });
    };
  });
}

function watchTime(): void {
  let before = performance.now();
  const pass = () => {
    const now = performance.now();
    void passTime(now - before).catch(() => undefined);
    before = now;
  };
  pass();
  setInterval(pass, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", pass);
  // Also what was paused before the lease ended.
  audio.addEventListener("play", lookAtLease);
}

function Offline() {
  return (
    <div class="frame frame-pocket">
      <header class="banner">
        <div class="wordmark">
          <span class="wordmark-name">Dubplate</span>
          {others.value.length > 0 && <span class="wordmark-library">{device.value?.libraryName}</span>}
        </div>
      </header>
      <main id="main" class="main" tabIndex={-1}>
        <div class="screen screen-page">
          <header class="screen-head">
            <h1>Pocket</h1>
            {tracks.value.length > 0 && (
              <div class="screen-tools">
                <CommentButton />
                <Button
                  look="secondary"
                  icon="play"
                  run={() => playRows(chosenId.peek() ?? "", shown.peek())}
                >
                  Play all
                </Button>
              </div>
            )}
          </header>
          <Status />
          <SharedWaiting />
          <Kept />
          <Others />
        </div>
      </main>
      <PlayerBar />
      <Toasts />
      <CoverShapes />
      <div class="sr-only" role="status" aria-label="Messages">
        {message}
      </div>
      <Dialogs />
      <OpenMenu />
    </div>
  );
}

/** The element stays, so that readers hear what changes in it. */
function Status() {
  const isWarning = isOver.value || contact.value === "withdrawn";
  return (
    <div class={isWarning ? "pocket-status is-warning" : "pocket-status"}>
      <p role="status">{sentences().join(" ")}</p>
      {contact.value === "back" && (
        <Button look="secondary small" run={openLibrary}>
          Open the library
        </Button>
      )}
      {(contact.value === "signedOut" || contact.value === "withdrawn") && (
        <Button look="secondary small" run={openLibrary}>
          Sign in
        </Button>
      )}
    </div>
  );
}

function sentences(): string[] {
  const own = device.value;
  if (contact.value === "withdrawn")
    return ["This device was removed from your library. Its copies have been deleted."];
  const over = own && isOver.value ? [leaseText(own)] : [];
  if (contact.value === "back") return ["Back online.", ...over];
  if (contact.value === "signedOut")
    return [own ? "Sign in to bring your music up to date." : "Back online.", ...over];
  if (!own || tracks.value.length === 0) return ["No connection. Nothing is kept on this device."];
  return over.length > 0 ? over : ["No connection. You can play what is kept here."];
}

function Kept() {
  if (tracks.value.length === 0 && comments.value.length === 0) return null;
  return (
    <>
      {tracks.value.length > 0 && <p class="pocket-amount">{amountText(tracks.value, roomBytes.value)}</p>}
      <WaitingComments rows={comments.value} onChange={readComments} />
      {lists.value.length > 0 && (
        <KeptLists
          lists={lists.value}
          tracksOf={tracksOf}
          chosenId={chosenId.value}
          onChoose={(id) => {
            chosenId.value = id;
          }}
        />
      )}
      {tracks.value.length > 0 && (
        <KeptTracks
          rows={shown.value}
          source={chosenId.value ?? ""}
          stateOf={() => "Not here yet"}
          menu={menuOf}
        />
      )}
    </>
  );
}

const menuOf = (row: TrackRow): MenuItem[] => {
  const isDisabled = row.sound === null;
  return [
    { name: "Play next", isDisabled, run: () => playNext([toPlayerTrack(row)]) },
    { name: "Add to queue", isDisabled, run: () => addToQueue([toPlayerTrack(row)]) },
  ];
};

/** The way to the same person's other libraries: each is a document. */
function Others() {
  if (others.value.length === 0) return null;
  return (
    <nav class="pocket-others" aria-label="Other libraries">
      {others.value.map(({ key, libraryId, libraryName, root }) => (
        <a key={key} class="tap" href={`${root}/library/offline?in=${libraryId}`}>
          {libraryName}
        </a>
      ))}
    </nav>
  );
}

function CommentButton() {
  const { current } = queue.value;
  if (!current) return null;
  return (
    <Button look="secondary" icon="comment" run={openComment}>
      Comment
    </Button>
  );
}

/** On what plays, at the moment of the press. */
function openComment(): void {
  const { current } = queue.peek();
  const own = device.peek();
  if (!current || !own) return;
  const { id, title } = current;
  const atSec = elapsedSec.peek();
  const keep = async (text: string) => {
    const item = commentOf(id, { text, positionSec: atSec, at: latestMoment(own) });
    await putOutbox(own, { item, title, isWhole: true });
    await readComments();
    if (contact.peek() === "back") await deliver(own);
    else announce("The comment will be sent when you are back");
  };
  showDialog((close) => <CommentDialog title={title} atSec={atSec} keep={keep} onClose={close} />);
}

/** After a reload only ids are known; what is not kept does not play here. */
function nameQueue(): void {
  const { added, rest } = queue.peek();
  const names = [...added, ...rest].map(({ id }) => {
    const row = rowOf(id);
    return [id, row?.sound ? { title: row.title, artist: row.artist ?? "" } : undefined] as const;
  });
  queue.value = withTitles(queue.peek(), new Map(names));
}

async function begin(place: HTMLElement): Promise<void> {
  await readShelf(new URLSearchParams(location.search).get("in")).catch(() => undefined);
  lookAtLease();
  place.replaceChildren();
  render(<Offline />, place);
  startKeys();
  startPlayer();
  nameQueue();
  noteListens(() => device.peek());
  watchTime();
  watchContact();
  roomBytes.value = await readRoom();
}

const place = document.getElementById("console");
if (place) void begin(place);
