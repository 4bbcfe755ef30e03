import { computed, effect } from "@preact/signals";
import { account, firstLibrary } from "../first-data.ts";
import { memory } from "../memory.ts";
import { playingTitle } from "../ui/screen.tsx";
import { audio, loadCurrent, loudness, step } from "./player.ts";
import { type ListSource, type PlayerTrack, type QueueState, toEntries } from "./queue.ts";
import { elapsedSec, isMatched, isPlaying, queue, speed, volume } from "./state.ts";

type Kept = {
  current: string;
  atSec: number;
  added: string[];
  rest: string[];
  source: ListSource | undefined;
};
/** Each library has a queue of its own. */
const KEPT = account.id === firstLibrary.id ? "queue" : `queue ${firstLibrary.id}`;
const MAX_KEPT = 200;
const KEEP_EVERY_SEC = 5;

/** Keeps ids and the position, nothing else of the library. */
function keepQueue(): void {
  const { current, added, rest, source } = queue.value;
  const ids = (entries: QueueState["rest"]) => entries.slice(0, MAX_KEPT).map(({ id }) => id);
  if (!current) return;
  memory.set(KEPT, {
    current: current.id,
    atSec: elapsedSec.peek(),
    added: ids(added),
    rest: ids(rest),
    source,
  });
}

/** Brings back the queue of before a reload, paused where it was. */
function restoreQueue(): void {
  const kept = memory.get<Kept>(KEPT);
  if (!kept?.current) return;
  const unnamed = (id: string): PlayerTrack => ({ id, title: "", artist: null, cover: null });
  const [current] = toEntries([unnamed(kept.current)]);
  queue.value = {
    current,
    past: [],
    added: toEntries(kept.added.map(unnamed)),
    rest: toEntries(kept.rest.map(unnamed)),
    source: kept.source,
  };
  elapsedSec.value = kept.atSec;
  void loadCurrent(kept.atSec);
}

/** Begins to play: the element is there for as long as the console is open. */
export function startPlayer(): void {
  audio.addEventListener("ended", () => step(1));
  effect(() => {
    audio.volume = volume.value;
    audio.playbackRate = speed.value;
    audio.defaultPlaybackRate = speed.value;
    memory.set("volume", volume.value);
    memory.set("speed", speed.value);
  });
  effect(() => {
    loudness.match(isMatched.value);
    memory.set("match", isMatched.value);
  });
  effect(() => {
    playingTitle.value = isPlaying.value ? queue.value.current?.title : undefined;
  });
  restoreQueue();
  const part = computed(() => Math.floor(elapsedSec.value / KEEP_EVERY_SEC));
  effect(() => {
    void part.value;
    keepQueue();
  });
  addEventListener("pagehide", keepQueue);
}
