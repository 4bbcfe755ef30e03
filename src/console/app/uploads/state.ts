import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Chosen } from "./dropped.ts";
import { forget, type Remembered, remember } from "./store.ts";

/** How far a file is. */
export type Now = {
  /**
   * `missing`: it was on its way before a reload, and has to be chosen again. `arrived`: the server has all of it.
   * `asking`: it has arrived, and its owner has to say whether it is a version of a track.
   */
  state: "missing" | "waiting" | "sending" | "arrived" | "asking" | "done" | "failed";
  sentBytes: number;
  /** Why it failed, in a sentence. */
  reason?: string;
};

/** A track that a file may be a new version of. */
export type Offered = { trackId: string; title: string };

/** A file on its way to the library. */
export type Upload = {
  readonly id: string;
  /** The file's name, without its folders. */
  readonly name: string;
  about: Remembered;
  now: Signal<Now>;
  /** What is in `now`, for what need not follow every byte. */
  state: ReadonlySignal<Now["state"]>;
  /** The track that it may be a new version of, by its name. */
  offer: Signal<Offered | undefined>;
  /** True once the offer was answered here. */
  isDecided?: boolean;
  /** Resolves when it is known whether there is an offer. */
  looked: Promise<void>;
  file?: File | undefined;
  /** True while another tab sends the same file. */
  isElsewhere?: boolean;
};

/** Every file that is on its way or was, in the order in which they are sent. */
export const uploads = signal<readonly Upload[]>([]);
/** Chosen files that are not music. */
export const leftOut = signal<readonly Chosen[]>([]);
export const isPaused = signal(false);
/** True while the tray shows. */
export const isTrayOpen = signal(true);

/** States in which something is still to be done. */
const OPEN: readonly Now["state"][] = ["missing", "waiting", "sending", "arrived", "asking"];
export const isOpen = ({ state }: Upload): boolean => OPEN.includes(state.value);

/** True for a file that this browser sent; false for one that only waits for an answer here. */
export const isOwn = ({ about }: Upload): boolean => about.key !== "";

/** The files that wait for their owner to say what they are. */
export const asking = computed(() => uploads.value.filter(({ state }) => state.value === "asking"));

/**
 * How many files there are, are done, are not done, and are not sent. What other browsers sent counts once it is decided. It
 * does not follow every byte.
 */
export const summary = computed(() => {
  let [done, open, unsent] = [0, 0, 0];
  for (const { state: now, file } of uploads.value) {
    const state = now.value;
    if (state === "done") done++;
    if (OPEN.includes(state)) open++;
    if (file && (state === "waiting" || state === "sending")) unsent++;
  }
  const others = asking.value.filter((upload) => !isOwn(upload)).length;
  return { all: uploads.value.length - others, done, open, unsent };
});

/** The bytes of all files, and those that were sent. */
export const volume = computed(() => {
  let [bytes, sentBytes] = [0, 0];
  for (const { now, about } of uploads.value) {
    const { state, sentBytes: sent } = now.value;
    bytes += about.size;
    sentBytes += state === "done" ? about.size : sent;
  }
  return { bytes, sentBytes };
});

/** Makes an upload of its remembered state. */
export function toUpload(about: Remembered, first: Now): Upload {
  const now = signal(first);
  return {
    id: about.id,
    name: about.path.slice(about.path.lastIndexOf("/") + 1),
    about,
    now,
    state: computed(() => now.value.state),
    offer: signal(undefined),
    looked: Promise.resolve(),
  };
}

/** Shows how far a file is. */
export function show({ now }: Upload, change: Partial<Now>): void {
  now.value = { ...now.peek(), ...change };
}

/** Changes the remembered state of a file. */
export function note(upload: Upload, change: Partial<Remembered>): void {
  upload.about = { ...upload.about, ...change };
  void remember([upload.about]);
}

/** Takes files off the list. */
export function takeOff(gone: readonly Upload[]): void {
  if (gone.length === 0) return;
  const ids = new Set(gone.map(({ id }) => id));
  uploads.value = uploads.value.filter(({ id }) => !ids.has(id));
  void forget([...ids]);
}

/** Removes finished uploads from the list. */
export function clearDone(): void {
  takeOff(uploads.value.filter(({ now }) => now.peek().state === "done"));
  leftOut.value = [];
}
