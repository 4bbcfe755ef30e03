import type { Track } from "./queue.ts";

/**
 * Why nothing sounds although it should: the connection is slow or lost, the link gives out no more music, or the browser
 * does not know the format.
 */
export type Trouble = "slow" | "lost" | "over" | "unplayable";

/** What is said of each. */
export const WORDS: Readonly<Record<Trouble, string>> = {
  slow: "Waiting for the music: the connection is slow.",
  lost: "The connection is lost. The music goes on when it is back, or press play to try now.",
  over: "This page can no longer play this track. Reload it to see why.",
  unplayable: "This cannot be played here. Reload the page; if that does not help, try another browser.",
};

type Watched = {
  audio: HTMLAudioElement;
  current: () => Track;
  /** True while the visitor wants to hear something. */
  isWanted: () => boolean;
  /** Asks for the current track anew, and plays on from the place it had reached. */
  reload: () => void;
  onChange: () => void;
};

export type Recovery = {
  trouble: () => Trouble | undefined;
  /** True right after the music came back by itself: a press of the button then still means "play". */
  hasJustResumed: () => boolean;
  /** Forgets the trouble: the visitor plays something else, or stops. */
  forget: () => void;
};

/** Shorter waits go unnoticed. */
const SLOW_AFTER_MS = 500;
const LOOK_AFTER_MS = 4000;
/** Pauses between tries double up to half a minute; after about ten minutes the visitor has to press play. */
const LONGEST_PAUSE_MS = 30_000;
const MAX_TRIES = 24;
/** Reloads without a pause, while the server says that it has the file. */
const MAX_ATTEMPTS = 2;
const ANSWER_MS = 10_000;
const JUST_MS = 1500;

/**
 * Watches a playing element and brings it back. After a lost connection it reloads the track, at intervals and when the
 * browser is online again. An address that is out of date is renewed.
 */
export function watchTrouble({ audio, current, isWanted, reload, onChange }: Watched): Recovery {
  let trouble: Trouble | undefined;
  let tries = 0;
  let attempts = 0;
  let resumedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest question to the server; answers to older ones are ignored. */
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
  /** Browsers try for half a minute before they say that a connection is lost. */
  const lookLater = () => {
    timer = setTimeout(async () => {
      const own = ++question;
      const found = await ask(current());
      if (own !== question || !isWanted()) return;
      if (found === "lost") lose();
      else lookLater();
    }, LOOK_AFTER_MS);
  };
  const find = async (code: number) => {
    const own = ++question;
    const found = await ask(current());
    if (own !== question || !isWanted()) return;
    if (found === "over") return show("over");
    const isDamaged = found === "there" && code === MediaError.MEDIA_ERR_DECODE;
    // The server has it: the connection was lost for a moment, or the address is a new one.
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

/** Statuses of an address that will not play again: signed out, out of date, deleted, or its link is over. */
const OVER = [401, 403, 404, 410];

/** Asks the server what is wrong with a track's address, and has it renewed when it is out of date. */
async function ask(track: Track): Promise<"there" | "renewed" | "over" | "lost"> {
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

/** Has a track's addresses renewed. What else they say, such as the chosen rendition, stays. */
async function renew(track: Track, signal: AbortSignal): Promise<"renewed" | "over" | "lost"> {
  const answer = await fetch(track.src.replace("/listen/", "/renewed/"), { cache: "no-store", signal });
  if (!answer.ok) return OVER.includes(answer.status) ? "over" : "lost";
  const proof = new URLSearchParams(await answer.text());
  track.src = withProof(track.src, proof);
  track.wave = withProof(track.wave, proof);
  return "renewed";
}

/** Puts a new proof into an address of the page. */
function withProof(address: string, proof: URLSearchParams): string {
  const url = new URL(address, location.href);
  for (const [name, value] of proof) url.searchParams.set(name, value);
  return url.pathname + url.search;
}
