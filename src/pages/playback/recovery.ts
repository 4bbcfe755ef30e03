import type { Playable } from "./playable.ts";

/**
 * Why there is no sound although there should be: the connection is slow or lost, the link no longer serves music,
 * or the browser does not know the format.
 */
export type Trouble = "slow" | "lost" | "over" | "unplayable";

/** The message for each. */
export const WORDS: Readonly<Record<Trouble, string>> = {
  slow: "Waiting for the music: the connection is slow.",
  lost: "The connection was lost. Playback resumes when it is back, or press play to try now.",
  over: "This page can no longer play this track. Reload it to see why.",
  unplayable: "This cannot be played here. Reload the page; if that does not help, try another browser.",
};

/** Gives a track a new address. `over`: it will not play again. */
export type Renew<Track> = (track: Track, signal: AbortSignal) => Promise<"renewed" | "over" | "lost">;

type Watched<Track> = {
  audio: HTMLAudioElement;
  current: () => Track | undefined;
  /** True while the visitor wants to hear something. */
  isWanted: () => boolean;
  /** Requests the current track again, and continues where it had stopped. */
  reload: () => void;
  renew: Renew<Track>;
  onChange: () => void;
};

export type Recovery = {
  trouble: () => Trouble | undefined;
  /** True shortly after the music has resumed by itself: a press of the button then still means "play". */
  hasJustResumed: () => boolean;
  /** Forgets the trouble, because the visitor plays something else or stops. */
  forget: () => void;
};

/** Shorter waits go unnoticed. */
const SLOW_AFTER_MS = 500;
const LOOK_AFTER_MS = 4000;
/** The wait between tries doubles, up to half a minute. After about ten minutes, the visitor has to press play. */
const LONGEST_PAUSE_MS = 30_000;
const MAX_TRIES = 24;
/** How often to reload without a wait, while the server says that it has the file. */
const MAX_ATTEMPTS = 2;
const ANSWER_MS = 10_000;
const JUST_MS = 1500;

/**
 * Watches a playing element and recovers it from trouble. After a lost connection, it reloads the track at
 * intervals and when the browser is online again. It renews an expired address.
 */
export function watchTrouble<Track extends Playable>({
  audio,
  current,
  isWanted,
  reload,
  renew,
  onChange,
}: Watched<Track>): Recovery {
  let trouble: Trouble | undefined;
  let tries = 0;
  let attempts = 0;
  let resumedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the latest request to the server; answers to earlier ones are ignored. */
  let question = 0;

  const show = (next: Trouble | undefined) => {
    clearTimeout(timer);
    if (trouble === next) return;
    trouble = next;
    onChange();
  };
  const forget = () => {
    question++;
    tries = 0;
    attempts = 0;
    show(undefined);
  };
  const tryAgain = () => {
    clearTimeout(timer);
    if (isWanted()) reload();
  };
  const lose = () => {
    show("lost");
    attempts = 0;
    if (tries < MAX_TRIES) timer = setTimeout(tryAgain, Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** tries++));
  };
  const wait = () => {
    if (trouble || !isWanted() || audio.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!navigator.onLine) return lose();
      show("slow");
      lookLater();
    }, SLOW_AFTER_MS);
  };
  /** Checks with the server: browsers try for half a minute before they report a lost connection. */
  const lookLater = () => {
    timer = setTimeout(async () => {
      const own = ++question;
      const found = await ask(current(), renew);
      if (own !== question || !isWanted()) return;
      if (found === "lost") lose();
      else lookLater();
    }, LOOK_AFTER_MS);
  };
  const find = async (code: number) => {
    const own = ++question;
    const found = await ask(current(), renew);
    if (own !== question || !isWanted()) return;
    if (found === "over") return show("over");
    const isDamaged = found === "there" && code === MediaError.MEDIA_ERR_DECODE;
    // The server has the file: the connection was lost for a moment, or the address was renewed.
    if (found !== "lost" && !isDamaged && attempts++ < MAX_ATTEMPTS) return tryAgain();
    if (found === "lost" || code === MediaError.MEDIA_ERR_NETWORK) return lose();
    show("unplayable");
  };

  audio.addEventListener("error", () => {
    if (!audio.error || !isWanted()) return;
    if (!trouble) show("slow");
    void find(audio.error.code);
  });
  audio.addEventListener("playing", () => {
    if (trouble === "lost") resumedAt = performance.now();
    forget();
  });
  for (const name of ["waiting", "stalled"]) audio.addEventListener(name, wait);
  addEventListener("online", () => {
    if (trouble === "lost" || trouble === "slow") tryAgain();
  });
  return {
    trouble: () => trouble,
    hasJustResumed: () => performance.now() - resumedAt < JUST_MS,
    forget,
  };
}

/** Statuses of an address that will not play again: signed out, expired, deleted, or its link has ended. */
export const OVER = [401, 403, 404, 410];

/** Asks the server what is wrong with a track's address, and renews it if it has expired. */
async function ask<Track extends Playable>(
  track: Track | undefined,
  renew: Renew<Track>,
): Promise<"there" | "renewed" | "over" | "lost"> {
  if (!track) return "over";
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { ok, status } = await fetch(track.src, { method: "HEAD", cache: "no-store", signal });
    if (status === 403) return await renew(track, signal);
    if (OVER.includes(status)) return "over";
    return ok ? "there" : "lost";
  } catch {
    return "lost";
  }
}
