import { batch } from "@preact/signals";
import { createDeck } from "../../../pages/playback/deck.ts";
import { announceTo } from "../../../pages/playback/media-session.ts";
import { ApiError } from "../api/errors.ts";
import { readJson } from "../api/queries.ts";
import { samePlace } from "../first-data.ts";
import { toast, toastError } from "../ui/toast.tsx";
import {
  backward,
  begin,
  EMPTY,
  forward,
  jump,
  type ListSource,
  moved,
  type PlayerTrack,
  toEntries,
  without,
  withoutTrack,
} from "./queue.ts";
import { renew, type Sound, soundOf } from "./sound.ts";
import {
  durationSec,
  elapsedSec,
  isMatched,
  isMuted,
  isPlaying,
  loop,
  queue,
  sound,
  trouble,
} from "./state.ts";

/** A list to play from. */
export type PlayList = {
  tracks: readonly PlayerTrack[];
  index: number;
  source: ListSource;
  /** Where the track begins; left out: at its beginning. */
  fromSec?: number;
};

/** After so long, "previous" begins the track again. */
const RESTART_AFTER_SEC = 4;
/** The next track is made ready so long before the end. */
const READY_SEC = 20;
/** So few tracks of the list are left when more of it is read. */
const FEW = 10;

const deck = createDeck<Sound>({ isMatched: isMatched.value, renew, onChange: update });
export const { audio, loudness } = deck;
/** The newest wish: an answer to an older one is ignored. */
let wish = 0;

/** Plays a list from one of its tracks on, in the tap that wants it. */
export function play(list: PlayList): void {
  const before = queue.value;
  const wasAtSec = elapsedSec.value;
  const isOther =
    before.source !== undefined && before.source.key !== list.source.key && before.rest.length > 0;
  queue.value = begin(before, list);
  void playCurrent(list.fromSec ?? 0);
  if (isOther)
    toast("Queue replaced", {
      undo: () => {
        queue.value = { ...before, added: queue.value.added };
        void playCurrent(wasAtSec);
      },
    });
  void readMore();
}

/** Plays tracks after the current one, ahead of everything else. */
export function playNext(tracks: readonly PlayerTrack[]): void {
  queue.value = { ...queue.value, added: [...toEntries(tracks), ...queue.value.added] };
  lookAhead();
  say(tracks, "plays next", "play next");
  beginIfEmpty();
}

/** Plays tracks after those added before, ahead of the list. */
export function addToQueue(tracks: readonly PlayerTrack[]): void {
  queue.value = { ...queue.value, added: [...queue.value.added, ...toEntries(tracks)] };
  lookAhead();
  say(tracks, "added to the queue", "added to the queue");
  beginIfEmpty();
}

function say([first, ...others]: readonly PlayerTrack[], one: string, many: string): void {
  if (first) toast(others.length === 0 ? `${first.title} ${one}` : `${others.length + 1} tracks ${many}`);
}

function beginIfEmpty(): void {
  if (!queue.value.current) step(1);
}

/** Plays or pauses. Returns false when nothing is loaded. */
export function toggle(): boolean {
  if (!queue.value.current) return false;
  if (deck.current()) deck.toggle();
  else void playCurrent(elapsedSec.value);
  return true;
}

/** One track on (1) or back (-1). Going back within a track restarts it. */
export function step(by: 1 | -1): void {
  const isRestart = by === -1 && (elapsedSec.value > RESTART_AFTER_SEC || queue.value.past.length === 0);
  if (isRestart) seek(0);
  const next = by === 1 ? forward(queue.value) : backward(queue.value);
  if (isRestart || !next) return;
  queue.value = next;
  void playCurrent(0);
  void readMore();
}

/** Plays a track that is up next. */
export function jumpTo(key: number): void {
  queue.value = jump(queue.value, key);
  void playCurrent(0);
  void readMore();
}

/** Takes a track out of "Up next". */
export function removeFromQueue(key: number): void {
  queue.value = without(queue.value, key);
  lookAhead();
}

/** Moves a track within "Up next". */
export function moveInQueue(key: number, by: 1 | -1): void {
  queue.value = moved(queue.value, key, by);
  lookAhead();
}

/** Where the music is exactly. `elapsedSec` follows it in steps. */
export const exactSec = (): number => deck.elapsedSec();

export function seek(toSec: number): void {
  deck.seek(toSec);
}

/** Repeats from here, to here, or no more. */
export function setLoop(edge: "from" | "to"): void {
  const at = elapsedSec.value;
  const { fromSec = 0 } = loop.value ?? {};
  if (edge === "from") loop.value = loop.value ? undefined : { fromSec: at, toSec: undefined };
  else if (at > fromSec) loop.value = { fromSec, toSec: at };
}

async function playCurrent(fromSec: number): Promise<void> {
  const { current } = queue.value;
  if (!current) return;
  const own = ++wish;
  loop.value = undefined;
  const known = ready?.key === current.key ? ready.sound : undefined;
  ready = undefined;
  if (known) return start(known, fromSec);
  // Browsers let nothing sound that was not begun in the tap itself; the address comes later.
  loudness.begin();
  if (!deck.current()) void audio.play().catch(() => undefined);
  try {
    const found = await soundOf(current.id, current.versionId);
    if (own === wish) start(found, fromSec);
  } catch (thrown) {
    if (own === wish) giveUp(thrown);
  }
}

function start(found: Sound, fromSec: number): void {
  const { current } = queue.value;
  if (!current) return;
  const { cover, albumGainDb: gain = found.gain } = current;
  if (current.title === "") name(found);
  sound.value = { ...found, gain, picture: cover === null ? found.picture : samePlace(cover) };
  deck.play(sound.value, fromSec);
}

/** After a reload only ids are known. */
function name({ title, artist }: Sound): void {
  const { current } = queue.value;
  if (current) queue.value = { ...queue.value, current: { ...current, title, artist } };
}

/** Loads the current track without playing it, as after a reload. */
export async function loadCurrent(atSec: number): Promise<void> {
  const { current } = queue.value;
  if (!current) return;
  try {
    const found = await soundOf(current.id, current.versionId);
    if (queue.value.current !== current || sound.value) return;
    name(found);
    sound.value = found;
    deck.load(found, atSec);
  } catch (thrown) {
    const isGone = thrown instanceof ApiError && thrown.status === 404;
    if (isGone && queue.value.current === current) queue.value = EMPTY;
  }
}

/** A track that is gone is left out; anything else is said. */
function giveUp(thrown: unknown): void {
  const { current } = queue.value;
  if (!(thrown instanceof ApiError) || thrown.status !== 404 || !current) {
    toastError(thrown);
    return;
  }
  toast(current.title === "" ? "A track in the queue was deleted" : `${current.title} was deleted`);
  const next = forward(withoutTrack(queue.value, current.id));
  queue.value = withoutTrack(next ?? { ...queue.value, current: undefined }, current.id);
  void playCurrent(0);
}

/** Reads what follows in the list, when little of it is left. */
async function readMore(): Promise<void> {
  const { source, rest } = queue.value;
  if (!source?.more || rest.length > FEW) return;
  const { query, position } = source.more;
  const { data } = await readJson(`/app/tracks?${query}&position=${position}`).catch(() => ({
    data: [],
  }));
  const now = queue.value;
  if (now.source !== source) return;
  const { more: _, ...ended } = source;
  const next = data.length === 0 ? ended : { ...source, more: { query, position: position + data.length } };
  queue.value = { ...now, rest: [...now.rest, ...toEntries(data)], source: next };
}

/** Makes the next track ready in time. What has begun unheard is taken back when it does not follow any more. */
function lookAhead(): void {
  const [next] = [...queue.value.added, ...queue.value.rest];
  if (!next || loop.value) {
    preloaded = 0;
    deck.follow(undefined);
    return;
  }
  if (durationSec.value === 0 || durationSec.value - elapsedSec.value > READY_SEC) return;
  if (preloaded === next.key) return;
  preloaded = next.key;
  deck.follow(undefined);
  void soundOf(next.id, next.versionId)
    .then((sound) => {
      if (preloaded !== next.key) return;
      ready = { key: next.key, sound };
      deck.follow({ ...sound, gain: next.albumGainDb ?? sound.gain });
    })
    .catch(() => undefined);
}

let preloaded = 0;
/** The sound of the next track, when it is known: in the background, phones let one begin only at the moment the last has ended. */
let ready: { key: number; sound: Sound } | undefined;

function update(): void {
  batch(() => {
    isPlaying.value = deck.isOn();
    elapsedSec.value = deck.elapsedSec();
    durationSec.value = deck.durationSec();
    trouble.value = deck.trouble();
    isMuted.value = audio.muted;
  });
  const { toSec, fromSec = 0 } = loop.value ?? {};
  if (toSec !== undefined && elapsedSec.value >= toSec) deck.seek(fromSec);
  lookAhead();
  session.update();
}

const session = announceTo({
  current: () => sound.value,
  isOn: () => deck.isOn(),
  durationSec: () => deck.durationSec(),
  elapsedSec: () => deck.elapsedSec(),
  audio,
  toggle,
  seek,
  step,
  album: "Dubplate",
});

/** Stops the music, and forgets what played and would play. */
export function clear(): void {
  wish++;
  ready = undefined;
  queue.value = EMPTY;
  audio.pause();
  audio.removeAttribute("src");
  sound.value = undefined;
  session.update();
}

/** Silences the music, or not. */
export function toggleMute(): void {
  audio.muted = !audio.muted;
}
