import type { Loudness } from "./loudness.ts";
import type { Pair } from "./pair.ts";
import type { Playable } from "./playable.ts";
import type { Ask, Joined } from "./seam.ts";

/** Lets a track follow another without a gap. */
export type Follow = {
  /** Makes ready what follows the current track by itself; undefined: nothing does. */
  next: (track: Playable | undefined) => void;
  /** Takes over what has begun because the current track has ended. False: this has not, and must be loaded. */
  take: (src: string) => boolean;
  /** So much later than it plays, the current track is heard. */
  lateSec: () => number;
};

/** The next track begins so long before the end of the current one is heard, which is longer than browsers take. */
const LEAD_SEC = 0.3;
/** Too late to begin unheard. */
const LEAST_SEC = 0.08;
/** Elements tell the time several times a second. */
const SOON_SEC = 1;

/**
 * Begins the next track while the end of the current one plays; the joiner of the graph keeps it until the current one has
 * ended. Without a joiner, the next one begins in the event of the end.
 */
export function createFollow(pair: Pair, loudness: Loudness, current: () => Playable | undefined): Follow {
  const { audio, other, swap } = pair;
  let nextSrc: string | undefined;
  let nextSec: number | undefined;
  const start = createStart(pair, loudness, () => lengthOf(audio, current()?.seconds));
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    clearTimeout(timer);
    start.undo();
  };
  /** Until the end of the current track is heard. */
  const leftSec = () => audio.duration - audio.currentTime + start.lateSec();
  const begin = () => {
    if (leftSec() - LEAD_SEC > 0.02) return look();
    const isSteady = !audio.paused && !audio.seeking && audio.playbackRate === 1;
    const isReady = other().readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
    if (isSteady && isReady && leftSec() > LEAST_SEC) start.begin();
  };
  const look = () => {
    const left = leftSec();
    if (nextSrc === undefined || !loudness.joiner() || !(left < SOON_SEC)) return;
    start.due(left);
    clearTimeout(timer);
    timer = setTimeout(begin, 1000 * Math.max(0, left - LEAD_SEC));
  };

  for (const element of pair.elements)
    element.addEventListener("loadedmetadata", () => {
      if (element === other()) keepStart(element, nextSec);
    });
  audio.addEventListener("timeupdate", look);
  audio.addEventListener("ended", () => {
    clearTimeout(timer);
    if (nextSrc !== undefined) start.begin();
    // Nothing took it over: the list has changed.
    setTimeout(() => start.hasBegun() && stop(), 0);
  });
  for (const name of ["seeking", "ratechange"]) audio.addEventListener(name, stop);
  audio.addEventListener("pause", () => {
    if (audio.ended || !audio.paused) return;
    // What was not heard yet is heard when it goes on.
    if (start.lateSec() > 0) audio.currentTime = Math.max(0, audio.currentTime - start.lateSec());
    stop();
  });
  return {
    next: (track) => {
      if (track?.src === nextSrc) return;
      clearTimeout(timer);
      if (start.hasBegun()) stop();
      nextSrc = track?.src;
      nextSec = track?.seconds;
      const element = other();
      if (!track) return element.removeAttribute("src");
      loudness.setGain(track.gain, laneOf(pair));
      element.preload = "auto";
      element.src = track.src;
    },
    take: (src) => {
      const isNext = audio.ended && start.hasBegun() && src === nextSrc && !other().paused && !other().error;
      if (!isNext) {
        stop();
        return false;
      }
      nextSrc = undefined;
      start.end();
      swap();
      return true;
    },
    lateSec: start.lateSec,
  };
}

/** The server rounds to a millisecond, and Chromium counts the pre-skip of Ogg Opus. */
const lengthOf = ({ duration }: HTMLAudioElement, seconds = duration) =>
  Math.abs(duration - seconds) < 0.001 ? duration : seconds;

/**
 * Chromium counts the pre-skip of Ogg Opus in its length, and leaves it out twice where it decodes the start for the first time.
 * After a seek it does not, but then leaves out some of AAC.
 */
function keepStart(element: HTMLAudioElement, seconds = element.duration): void {
  const longerSec = element.duration - seconds;
  if (longerSec < 0.002 || longerSec > 0.1) return;
  element.currentTime = 0.01;
  element.currentTime = 0;
}

/** The number of the element that is not heard. */
const laneOf = ({ lane }: Pair) => (lane() === 0 ? 1 : 0);

/** Begins the element that is not heard, and asks the joiner to let it be heard in time. */
function createStart(pair: Pair, loudness: Loudness, lengthSec: () => number) {
  const { lane, other } = pair;
  let hasBegun = false;
  /** So much later than it plays, each lane is heard. */
  const late = [0, 0];
  /** About when the current track ends, as a time of the audio context. */
  let endSec = 0;
  const ask = (wanted: Ask) => loudness.joiner()?.port.postMessage(wanted);
  const lateSec = () => late[lane()] ?? 0;
  /** What has begun before the latest of these is not joined. */
  let undone = 0;
  const join = (own: number, begunSec: number) => {
    const joiner = loudness.joiner();
    if (!joiner) return;
    const { currentTime, sampleRate } = joiner.context;
    joiner.port.onmessage = ({ data }: MessageEvent<Joined>) => {
      late[data.lane] = data.lateSec;
    };
    const frame = (seconds: number) => Math.round(seconds * sampleRate);
    const begunAt = frame(currentTime - begunSec);
    ask({ lane: own, endAt: frame(endSec), begunAt, frames: frame(lengthSec()) });
  };
  return {
    lateSec,
    hasBegun: () => hasBegun,
    /** The end of the current track is heard after so long. */
    due: (leftSec: number) => {
      // The joiner knows itself how late it is.
      endSec = (loudness.joiner()?.context.currentTime ?? 0) + leftSec - lateSec();
    },
    begin: () => {
      if (hasBegun) return;
      hasBegun = true;
      const [element, own, before] = [other(), laneOf(pair), undone];
      void element
        .play()
        .then(() => before === undone && join(own, element.currentTime))
        .catch(() => undefined);
    },
    undo: () => {
      undone++;
      late.fill(0);
      ask({ lane: lane() });
      if (!hasBegun) return;
      hasBegun = false;
      other().pause();
      other().currentTime = 0;
    },
    /** The other is the current one from now on. */
    end: () => {
      hasBegun = false;
    },
  };
}
