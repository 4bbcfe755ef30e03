import { createFollow } from "./follow.ts";
import { createLoudness, type Loudness } from "./loudness.ts";
import { createPair } from "./pair.ts";
import type { Playable } from "./playable.ts";
import { type Renew, type Trouble, watchTrouble } from "./recovery.ts";

/** Plays one track at a time, and resumes by itself after a lost connection. */
export type Deck<Track extends Playable> = {
  readonly audio: HTMLAudioElement;
  readonly loudness: Loudness;
  /** The track that plays, or did last; undefined: none yet. */
  current: () => Track | undefined;
  durationSec: () => number;
  elapsedSec: () => number;
  /** True while it plays or waits for data to play. */
  isOn: () => boolean;
  /** Why there is no sound although there should be. */
  trouble: () => Trouble | undefined;
  /** Plays a track from the given time. Without a time, the current track continues. */
  play: (track: Track, fromSec?: number) => void;
  /** Puts a track on without playing it, at the given time. */
  load: (track: Track, atSec: number) => void;
  toggle: () => void;
  seek: (toSec: number) => void;
  /** Makes ready the track that follows by itself, so that it begins without a gap; undefined: none does. */
  follow: (next: Track | undefined) => void;
};

type DeckOptions<Track> = {
  /** The track that is on it at the start. */
  first?: Track;
  /** True: tracks play equally loud from the start. */
  isMatched: boolean;
  /** Renews the expired address of a track. */
  renew: Renew<Track>;
  /** Called on every change of the track, the time or the playing state. */
  onChange: () => void;
};

const EVENTS = [
  "play",
  "pause",
  "timeupdate",
  "durationchange",
  "seeking",
  "error",
  "volumechange",
  "ratechange",
];

/** Makes a deck. Nothing is fetched until a track plays; then the file is requested at once. */
export function createDeck<Track extends Playable>(options: DeckOptions<Track>): Deck<Track> {
  const { renew, onChange } = options;
  let track = options.first;
  const current = () => track;
  const voices = createVoices(options.isMatched, current);
  const { audio, loudness, follow } = voices;
  let isLoaded = false;
  /** What the visitor wants; the element itself forgets it on failure. */
  let wanted = false;
  const place = createPlace(audio);

  const durationSec = () => (isLoaded && lengthOf(audio)) || (track?.seconds ?? 0);
  const elapsedSec = () =>
    place.waiting() ?? (isLoaded ? Math.max(0, audio.currentTime - follow.lateSec()) : 0);
  const fetchFile = (file: Track) => {
    isLoaded = true;
    return putOn(voices, file);
  };
  const reload = () => {
    place.begin(elapsedSec());
    if (track) fetchFile(track);
    start(audio);
  };
  const recovery = watchTrouble({ audio, current, isWanted: () => wanted, reload, renew, onChange });
  const isOn = () => wanted && [undefined, "slow"].includes(recovery.trouble());
  const seek = (toSec: number) => {
    place.seek(Math.max(0, Math.min(toSec, Math.max(0, durationSec() - 0.05))), isLoaded);
    onChange();
  };
  const play = (next: Track, fromSec?: number) => {
    loudness.begin();
    recovery.forget();
    wanted = true;
    const isSame = next === track;
    // A failed element plays nothing until its source is set again.
    const isNew = !isSame || !isLoaded || audio.error !== null;
    if (isNew) place.begin(isSame ? elapsedSec() : undefined);
    track = next;
    const hasBegun = isNew && fetchFile(next);
    if (fromSec !== undefined && !(hasBegun && fromSec === 0)) seek(fromSec);
    start(audio);
    onChange();
  };

  audio.addEventListener("pause", () => {
    if (!audio.paused) return;
    wanted = false;
    recovery.forget();
  });
  for (const name of EVENTS) audio.addEventListener(name, onChange);
  return {
    audio,
    loudness,
    current,
    durationSec,
    elapsedSec,
    isOn,
    trouble: recovery.trouble,
    play,
    load: (next, atSec) => {
      unload(audio);
      track = next;
      isLoaded = false;
      place.begin(atSec > 0 ? atSec : undefined);
      onChange();
    },
    toggle: () => {
      if (isOn() && !recovery.hasJustResumed()) audio.pause();
      else if (track) play(track);
    },
    seek,
    follow: follow.next,
  };
}

function unload(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute("src");
}

function createVoices(isMatched: boolean, current: () => Playable | undefined) {
  const pair = createPair();
  const loudness = createLoudness(pair, isMatched);
  return { audio: pair.audio, loudness, follow: createFollow(pair, loudness, current) };
}

/** Returns true when the file plays already, because it followed the one before. */
function putOn(
  { audio, loudness, follow }: ReturnType<typeof createVoices>,
  { gain, src }: Playable,
): boolean {
  const isTaken = follow.take(src);
  loudness.setGain(gain);
  if (!isTaken) audio.src = src;
  return isTaken;
}

/** Returns the length of the loaded file in seconds; 0: not known yet. */
const lengthOf = ({ duration }: HTMLAudioElement) => (Number.isFinite(duration) ? duration : 0);

// The element's own event reports a track that cannot be played.
const start = (audio: HTMLAudioElement) => void audio.play().catch(() => undefined);

/** Where an element plays. A time that is chosen before the browser has the file's header is kept until then. */
function createPlace(audio: HTMLAudioElement) {
  let waiting: number | undefined;
  audio.addEventListener("loadedmetadata", () => {
    if (waiting !== undefined) audio.currentTime = waiting;
    waiting = undefined;
  });
  return {
    waiting: () => waiting,
    /** Sets where the next file begins; undefined: where it begins by itself. */
    begin: (atSec: number | undefined) => {
      waiting = atSec;
    },
    seek: (toSec: number, isLoaded: boolean) => {
      const hasHeader = isLoaded && !audio.error && audio.readyState >= HTMLMediaElement.HAVE_METADATA;
      if (hasHeader) audio.currentTime = toSec;
      else waiting = toSec;
    },
  };
}
